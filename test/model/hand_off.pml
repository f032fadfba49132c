/* SPDX-License-Identifier: BSL-1.0
 * Copyright (c) 2026 The sluice authors
 *
 * How an element gets from a producer to a consumer, and what may come in between: a
 * cancellation before the operation starts, while it waits, and after it was decided; an
 * owner that goes away; a close; a select that another queue decides. Spin tries every
 * interleaving: no element is lost, none arrives twice, one that was returned is in front, no
 * operation waits that could complete, and none waits for ever.
 *
 * The names are those of the sources: detail/waiter.hpp, detail/wait_hub.hpp,
 * detail/claim.hpp, queue/detail/queue_core.hpp, queue/detail/select_core.hpp.
 *
 * Not modelled: memory order (the thread sanitizer looks for that), batches, but for one that
 * only holds, other orders than first in first out, the ways in which an operation completes
 * inside its own start, selects that enqueue, contexts that die.
 *
 * Options: -DCAPACITY=0 or 1 and -DSCENE=1, 2 or 3 (default: all of them), -DLARGE, and
 * -DBREAK=n, which leaves out one thing that the sources do, so that spin has to find an
 * error. hand_off.py runs them all; compiled once, they take n from the environment.
 */

byte broken;
#if defined(BREAK_FROM_ENVIRONMENT)
c_decl { \#include <stdlib.h> }
#define CHOOSE_BREAK c_code { now.broken = atoi(getenv("BREAK")); }
#elif defined(BREAK)
#define CHOOSE_BREAK broken = BREAK
#else
#define CHOOSE_BREAK broken = 0
#endif
#define INTACT(n) (broken != n)
#define PUT_BACK             INTACT(1)   /* a cancelled consumer gives its element back */
#define CLAIM_ONCE           INTACT(2)   /* a claim that is taken cannot be taken */
#define TOO_LATE             INTACT(3)   /* what is delivered is not taken back */
#define FAIL_PRODUCERS       INTACT(4)   /* close(cancel_pending) tells the producers */
#define SETTLE_AFTER_CANCEL  INTACT(5)
#define DROP_BRANCH          INTACT(6)   /* a branch that has lost leaves its line */
#define SUCCESS_STANDS       INTACT(7)   /* an enqueue whose element is in succeeds */
#define DELIVERY_WAITS       INTACT(8)   /* while an element is being taken back */
#define TO_THE_FRONT         INTACT(9)   /* a returned element is first */
#define SETTLE_AFTER_CLOSE   INTACT(10)
#define WITHDRAW_LOSERS      INTACT(11)  /* the decision of a select takes them out */
#define WITHDRAW_FIRST       INTACT(12)  /* before its owner may resume */
#define LATER_OF_TWO         INTACT(13)  /* the decision and the end of the start */

#define QUEUES    2
#define NONE      255
#define CANCELLED 254     /* as the winner of a select */

/* Waiters: producers 0 and 1, consumers 2 and 3, the two branches of a select. A producer
 * brings the element of its own number. */
#define WAITERS   6
#define CONSUMER  2
#define BRANCH    4       /* BRANCH + q waits in queue q */
#define IS_PRODUCER(w)  ((w) < CONSUMER)
#define IS_BRANCH(w)    ((w) >= BRANCH)
#define IS_BATCH(w)     (late && (w) == BRANCH)  /* asks for more than there will be */

mtype = { idle, waiting, decided, reclaiming, delivered };
mtype phase[WAITERS] = idle;
byte queue_of[WAITERS];
byte held[WAITERS] = NONE;  /* the element that a consumer has */
bool failed[WAITERS];
bool posted[WAITERS];       /* decided, and the owner may learn it; not of a branch */

bool claimed;               /* the claim that the branches of the select share */
byte winner = NONE;         /* who took it */
bool start_ended;           /* of the select */
bool select_decided;
bool select_posted;         /* its owner may resume */
bool select_gone;           /* and has */
bool late;                  /* but only after the consumer has its element */

byte capacity;              /* of each queue */
bool locked[QUEUES];
bool closed[QUEUES];
chan store[QUEUES] = [CONSUMER] of { byte };
chan producers[QUEUES] = [WAITERS] of { byte };
chan consumers[QUEUES] = [WAITERS] of { byte };

byte consumed[CONSUMER];    /* how often each element has reached a consumer's code */
bool returned[CONSUMER];    /* to its queue */
bool kept[CONSUMER];         /* its producer was told that it did not go in */

/* What one step needs while it lasts; no part of the state. */
hidden byte p, c, moved, won, took;

/* Critical sections ------------------------------------------------------------------ */

/* A critical section is one atomic step, as no process looks at a queue without its lock. The
 * exceptions: phases, which a delivery moves without it, so that taking back is several
 * steps; and the claim. That is taken at most once in a section, and what comes before it
 * there is invisible to others, so it may all happen at that moment. */
#define LOCK(q)  !locked[q] -> locked[q] = true

inline unlock(q)
{
    /* (Q2), (Q6): no operation waits that could complete */
    assert(len(consumers[q]) == 0 || len(store[q]) == 0);
    assert(len(producers[q]) == 0 || len(store[q]) >= capacity);
    assert(len(producers[q]) == 0 || len(consumers[q]) == 0);
    assert(len(consumers[q]) == 0 || !closed[q] || len(producers[q]) > 0);
    /* a returned element is in front */
    assert(len(store[q]) < 2 || !(store[q]?[0]) || returned[0] || !returned[1]);
    assert(len(store[q]) < 2 || !(store[q]?[1]) || returned[1] || !returned[0]);
    locked[q] = false
}

inline try_claim(w)
{
    won = true;
    if
    :: IS_BRANCH(w) && winner != w ->
        won = !claimed || !CLAIM_ONCE;
        claimed = true;
        if :: won -> assert(winner == NONE); winner = w; took = true :: else fi  /* (B1) */
    :: else
    fi
}

inline decide(w, failure)
{
    failed[w] = failure;
    phase[w] = decided;
    posted[w] = !IS_BRANCH(w)
}

/* What it holds goes to the front; what was behind it goes behind it again. */
inline give_back(w)
{
    store[queue_of[w]]!held[w];
    returned[held[w]] = true;
    held[w] = NONE;
    if
    :: TO_THE_FRONT && len(store[queue_of[w]]) == 2 ->
        store[queue_of[w]]?p;
        store[queue_of[w]]!p
    :: else
    fi
}

inline withdraw(w)
{
    if
    :: IS_PRODUCER(w) -> producers[queue_of[w]]??eval(w)
    :: else ->
        consumers[queue_of[w]]??eval(w);
        if :: held[w] != NONE -> give_back(w) :: else fi
    fi
}

/* The branch at the head of a line whose select was decided elsewhere. */
inline drop(w)
{
    if
    :: DROP_BRANCH -> withdraw(w); phase[w] = delivered; moved = true
    :: else
    fi
}

/* The first producer, if there is room. */
inline serve_producer(q)
{
    if
    :: len(producers[q]) > 0 && len(store[q]) < capacity ->
        producers[q]?p;
        store[q]!p;
        decide(p, false);
        moved = true
    :: else
    fi
}

/* The first consumer gets the first element, or learns the end. At capacity 0 it gets the
 * element of the first producer, unless an element was returned, which goes first. A
 * branch finds that its claim is lost before, or only when it tries to take it. */
inline serve_consumer(q)
{
    if
    :: len(consumers[q]) > 0 -> consumers[q]?<c>
    :: else -> c = NONE
    fi;
    if
    :: c != NONE && IS_BRANCH(c) && claimed && winner != c -> drop(c)
    :: c != NONE && IS_BATCH(c) && held[c] == NONE && len(store[q]) > 0 ->
        store[q]?held[c];
        moved = true
    :: c != NONE && IS_BATCH(c) && held[c] == NONE && len(producers[q]) > 0 &&
       capacity == 0 ->
        producers[q]?held[c];
        decide(held[c], false);
        moved = true
    :: c != NONE && !IS_BATCH(c) && (len(store[q]) > 0 ||
                     (len(producers[q]) > 0 && capacity == 0) ||
                     (len(producers[q]) == 0 && closed[q])) ->
        try_claim(c);
        if
        :: !won -> drop(c)
        :: else ->
            consumers[q]?_;
            moved = true;
            if
            :: len(store[q]) > 0 -> store[q]?held[c]; decide(c, false)
            :: len(store[q]) == 0 && len(producers[q]) > 0 ->
                producers[q]?held[c];
                decide(held[c], false);
                decide(c, false)
            :: else -> decide(c, true)
            fi
        fi
    :: else
    fi
}

inline settle(q)
{
    took = false;
    do
    :: moved = false;
       serve_producer(q);
       serve_consumer(q);
       if :: moved :: else -> break fi
    od;
    decides = decides || took
}

/* Operations ------------------------------------------------------------------------- */

inline start(w)
{
    LOCK(queue_of[w]);
    if
    :: failed[w] || (IS_PRODUCER(w) && closed[queue_of[w]]) -> decide(w, true)
    :: else ->
        phase[w] = waiting;
        if
        :: IS_PRODUCER(w) -> producers[queue_of[w]]!w
        :: else -> consumers[queue_of[w]]!w
        fi
    fi;
    settle(queue_of[w]);
    unlock(queue_of[w]);
    w++
}

/* Under the lock. What moves the phase first wins: this, or finish_delivery(). */
inline take_back(w)
{
    if
    :: atomic {
        !failed[w] && (phase[w] == decided || !TOO_LATE) -> phase[w] = reclaiming };
        if
        :: IS_PRODUCER(w) && SUCCESS_STANDS -> phase[w] = decided
        :: IS_PRODUCER(w) && !SUCCESS_STANDS -> changed = true
        :: !IS_PRODUCER(w) && PUT_BACK ->
            atomic { changed = true; give_back(w) }
        :: else -> changed = true
        fi
    :: else
    fi
}

/* A cancellation, by which the owner is told; or, if he does not exist any more, or his
 * select was decided by another branch, a forget(). */
inline cancel(w, owner_is_told)
{
    atomic {
        LOCK(queue_of[w]);
        if
        :: phase[w] == idle -> failed[w] = owner_is_told
        :: phase[w] == waiting ->
            withdraw(w);
            changed = true
        :: else
        fi
    };
    if
    :: phase[w] == decided -> take_back(w)
    :: else
    fi;
    atomic {
        if
        :: changed ->
            if :: owner_is_told -> decide(w, true) :: else -> phase[w] = delivered fi;
            if :: SETTLE_AFTER_CANCEL -> settle(queue_of[w]) :: else fi
        :: else
        fi;
        changed = false;
        unlock(queue_of[w]);
        w++
    }
}

#define IS_PENDING(w)    (phase[w] != idle && phase[w] != delivered)
#define HAS_TO_LEAVE(w)  (WITHDRAW_LOSERS && w != winner && IS_PENDING(w))

/* What has happened to the select. The later of the two events takes the other branches out;
 * then its owner may resume, and the select be gone. (B2), (B3) */
inline note(event)
{
    atomic {
        decides = false;
        event = true;
        if
        :: (select_decided && start_ended) || !LATER_OF_TWO ->
            loser = BRANCH;
            select_posted = select_posted || !WITHDRAW_FIRST
        :: else
        fi
    };
    do
    :: atomic { loser != 0 && loser < WAITERS && HAS_TO_LEAVE(loser) ->
                assert(!select_gone) };
        cancel(loser, false)
    :: loser != 0 && loser < WAITERS && !HAS_TO_LEAVE(loser) -> loser++
    :: atomic { loser == WAITERS -> select_posted = true; loser = 0; break }
    :: loser == 0 -> break
    od
}

/* What the owner does when it resumes. While an element is being taken back it waits for
 * the mutex, after which the phase is `decided` again. Once it is `delivered` no other process
 * changes the outcome, so reading that belongs to the same step. */
inline finish_delivery(w)
{
    (phase[w] == decided || (phase[w] == reclaiming && !DELIVERY_WAITS));
    phase[w] = delivered;
    if
    :: IS_PRODUCER(w) -> kept[w] = failed[w]
    :: !IS_PRODUCER(w) && !failed[w] -> consumed[held[w]]++; held[w] = NONE
    :: else
    fi
}

/* Processes -------------------------------------------------------------------------- */

/* The owner of one operation, or of a select of several: starts it and learns the outcome of
 * the one that was decided. Or goes away at any moment, and forgets it. */
proctype owner(byte first; byte last; bool may_go_away)
{
    byte w = first;
    byte loser;
    bool changed, decides, forgets;

    /* producers of one queue are alike, so it is enough to let the first come first; a select
     * that is decided meanwhile may notice it, or start one branch too many */
    do
    :: atomic { w <= last &&
                (w != 1 || queue_of[1] != queue_of[0] || phase[0] != idle) -> start(w) }
    :: (w > last || (IS_BRANCH(first) && claimed)) && decides -> note(select_decided)
    :: atomic { w > last && !IS_BRANCH(first) && !decides -> w = first; break }
    :: atomic { (w > last || claimed) && IS_BRANCH(first) && !decides -> w = first };
        note(start_ended);
        break
    od;
    if
    :: atomic { !IS_BRANCH(first) && posted[first] -> finish_delivery(first); w++ }
    :: atomic { IS_BRANCH(first) && winner < CANCELLED && select_posted &&
                (!late || phase[CONSUMER] == delivered) ->
                finish_delivery(winner) }
    :: IS_BRANCH(first) && winner == CANCELLED && select_posted
    :: atomic { may_go_away ->
                forgets = true;
                select_posted = select_posted || (IS_BRANCH(first) && !claimed);
                claimed = claimed || IS_BRANCH(first) }
    fi;
    do
    :: forgets && w <= last && !IS_PENDING(w) -> w++
    :: forgets && w <= last && IS_PENDING(w) -> cancel(w, false)
    :: (!forgets || w > last) && !IS_BRANCH(first) -> break
    :: atomic { (!forgets || w > last) && IS_BRANCH(first) && select_posted ->
                /* a select that is decided stays until it is delivered */
                assert(phase[BRANCH] != waiting && phase[BRANCH + 1] != waiting);
                select_gone = true;
                break }
    od
}

/* A select: takes the claim; once that is taken, a branch may have something to give. */
proctype canceller(byte first; byte last)
{
    byte w = first;
    byte loser;
    bool changed, decides;
    if
    :: atomic { IS_BRANCH(first) && !claimed ->
                claimed = true; winner = CANCELLED; decides = true; w = last + 1 }
    :: !IS_BRANCH(first) || claimed
    fi;
    do
    :: w <= last -> cancel(w, true)
    :: w > last && decides -> note(select_decided)
    :: w > last && !decides -> break
    od
}

/* Of each queue, first so that it drains; then those that still wait are told. */
proctype closer(byte first; byte last)
{
    byte q = first;
    byte loser;
    bool cancel_pending, changed, decides;
    do
    :: atomic { q <= last && !decides ->
        LOCK(q);
        closed[q] = true;
        do
        :: cancel_pending && len(producers[q]) > 0 && FAIL_PRODUCERS ->
            producers[q]?p;
            decide(p, true)
        :: else -> break
        od;
        if :: SETTLE_AFTER_CLOSE -> settle(q) :: else fi;
        unlock(q);
        q = (cancel_pending -> q + 1 : q);
        cancel_pending = !cancel_pending }
    :: decides -> note(select_decided)
    :: q > last && !decides -> break
    od
}

/* Two producers and two consumers of one queue. */
inline one_queue()
{
    run owner(CONSUMER, CONSUMER, false);
    if
    :: run canceller(0, 0); run owner(CONSUMER + 1, CONSUMER + 1, false)
    :: run canceller(CONSUMER, CONSUMER); run owner(CONSUMER + 1, CONSUMER + 1, true)
    fi;
    run closer(0, 0)
}

/* A producer for each queue, and a select of both; with -DLARGE, which takes a hundred
 * times as many states, also a consumer of the first queue. */
inline two_queues()
{
    queue_of[1] = 1;
    queue_of[BRANCH + 1] = 1;
#ifdef LARGE
    run owner(CONSUMER, CONSUMER, false);
    run owner(BRANCH, BRANCH + 1, true);
    run canceller(BRANCH, BRANCH + 1);
    run closer(0, 0);
    run closer(1, 1)
#else
    if
    :: run owner(BRANCH, BRANCH + 1, true)
    :: run owner(BRANCH, BRANCH + 1, false); run canceller(BRANCH, BRANCH + 1)
    fi;
    run closer(0, 1)
#endif
}

/* The same, but the branch of the first queue is a batch, which holds what there is. The other
 * one is taken, and then a consumer gets what the batch held, although the owner of the select
 * is busy until it has. */
inline late_owner()
{
    late = true;
    queue_of[1] = 1;
    queue_of[BRANCH + 1] = 1;
    run owner(CONSUMER, CONSUMER, false);
    run owner(BRANCH, BRANCH + 1, false)
}

/* When every process has come to its end, and spin reports if one does not: where is each
 * element? With a consumer, in its queue, or still with its producer; in one place. */
init
{
    atomic {
        CHOOSE_BREAK;
        if
#if !defined(CAPACITY) || CAPACITY == 0
        :: capacity = 0
#endif
#if !defined(CAPACITY) || CAPACITY == 1
        :: capacity = 1
#endif
        fi;
        if
#if !defined(SCENE) || SCENE == 1
        :: one_queue()
#endif
#if !defined(SCENE) || SCENE == 2
        :: two_queues()
#endif
#if !defined(SCENE) || SCENE == 3
        :: late_owner()
#endif
        fi;
        run owner(0, 0, false);
        run owner(1, 1, false)
    };
    _nr_pr == 1;
    assert(consumed[0] + kept[0] + (store[queue_of[0]]??[0] -> 1 : 0) == 1);
    assert(consumed[1] + kept[1] + (store[queue_of[1]]??[1] -> 1 : 0) == 1)
}
