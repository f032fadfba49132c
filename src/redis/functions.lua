#!lua name=sluice_1
-- SPDX-License-Identifier: BSL-1.0
-- Copyright (c) 2026 The sluice authors

-- The gate of a queue: what checks and changes several keys in one atomic step. The number in the
-- names is the version of this protocol, so that programs of several versions share a server.
--
-- All keys of a queue begin with KEYS[1], which has its name as the hash tag:
--
--   :meta    hash  what the queue is, whether it is closed, who waits, and
--                  enqueued   the number of the last element
--                  base       the number before the first one; 0 if it is not there
--                  out        `base` and how many elements have left
--                  lost       how many of these the server has lost
--                  next_end   no lease ends before
--                  longest    and none lasts longer, in ms
--                  came_back  set while `tries`, or `ready` of a fifo queue, is not empty
--                  p:<id>     the last enqueue of a producer, and when it was
--                  n:<name>   the last enqueue of the process that enqueues under the name, how
--                             many elements came in under it, and the process as `p:<id>`
--   :data    hash  identifier -> time of the enqueue in ms and bytes of each element
--   :ready   zset  identifiers that may be dequeued, scored by priority. Of a fifo queue those
--                  only that came back; the others are the last numbers.
--   :leased  zset  identifiers with a consumer, scored by the end of the lease in ms
--   :tries   hash  identifier -> how often it was delivered before; nothing for the first time
--   :dead    the same keys for the dead letters, which are a queue, and
--   :dead:why  hash  identifier -> how often it was delivered, a letter for why it came back the
--                  last time (r: it was returned, e: the lease ended), its priority
--
-- An identifier is the number of the element and, of a priority queue, its priority. Equal scores
-- are in the order of their members, so an element that comes back has its old place again.
--
-- (G1) An identifier is in `data` if and only if it is in exactly one of `ready` and `leased`, or,
--      of a fifo queue, one of the last numbers, which no consumer has had. So how many of these there
--      are follows from the sizes of the three, and is not written down.
-- (G2) The number of elements, HLEN of `data`, is never above the capacity.
-- (G3) A process that is told to wait has left in `meta` what it waits for, and the one that changes
--      that publishes it. So no process waits for what is there already.
-- (G4) Under a name only the process in its record adds elements, and they are counted in the same
--      step. A process is one opening of a queue: `p:...#2` is the second one of the same object. So
--      from the moment at which it has the name the count is complete. What the process before it
--      has sent, on another connection, and the server has not read yet is refused, also if that
--      one is dead and its commands come out of a socket only now.
-- (G5) A settlement is of the element that was delivered, and not of another one that has its number.
--      A queue that was deleted goes on behind its last number, because numbers begin with the
--      time. A server that has lost elements gives their numbers again. So a process that has
--      lost its connection since also says when the element was enqueued.
-- (G6) `enqueued` without `out` is the size of `data`. If it is not, or an identifier has no bytes,
--      the server has lost a key, be it that it was deleted or evicted. Who notices that mends the
--      others, adds to `lost` and publishes it. What `data` has is never given up.
-- (G7) An element whose next delivery is delayed is in `leased` with a half in the score. No
--      consumer has it, and the end of that is no delivery.
--
-- What takes time is the number of calls, and to make numbers of texts and texts of numbers. So a
-- function reads what it needs of `meta` in one call, the paths that an element seldom takes read
-- more, and a list is made only if something is put into it. A call from outside takes longer than
-- those in here, so one of them can settle and do something else.

local producer_memory = 2 * 24 * 3600 * 1000  -- ms; how long a producer's number is kept
local chunk = 4000                            -- arguments for one call; Lua's stack holds 8000
local never = '9007199254740992'              -- as a time, or a capacity without a limit
local small = {A = 'a', R = 'r', U = 'u', E = 'e'}

local function no_queue(prefix)
  return redis.error_reply('NOQUEUE there is no queue ' .. prefix)
end

local function fenced(name)
  return redis.error_reply('FENCED another process enqueues as ' .. name)
end

local function digits(number)
  return string.format('%d', number)
end

-- As wide as any of its queue, so that the order of the texts is that of the numbers. It has 16
-- digits; queues that functions before revision 6 have made begin with 1, and have 15.
local function numeral(number)
  return string.format('%015d', number)
end

-- With a fraction, which digits() leaves out.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end

-- The list with one more at its end; nil is an empty one.
local function with(list, value)
  if not list then return {value} end
  list[#list + 1] = value
  return list
end

-- A command with any number of arguments.
local function call_with(command, key, list)
  if #list <= chunk then return redis.call(command, key, unpack(list)) end
  local results = {}
  for first = 1, #list, chunk do
    local last = math.min(first + chunk - 1, #list)
    local some = redis.call(command, key, unpack(list, first, last))
    if type(some) == 'table' then
      for _, one in ipairs(some) do results[#results + 1] = one end
    end
  end
  return results
end

-- Rights -----------------------------------------------------------------------------------------

-- What the functions below call, and with what.
local hash_commands = {'HDEL', 'HGET', 'HINCRBY', 'HKEYS', 'HLEN', 'HMGET', 'HSCAN',
  'HSET'}
local zset_commands = {'ZADD', 'ZCARD', 'ZPOPMIN', 'ZRANDMEMBER', 'ZRANGE', 'ZREM', 'ZSCORE'}
local hashes = {':meta', ':data', ':tries', ':dead:meta', ':dead:data', ':dead:why'}
local zsets = {':ready', ':leased', ':dead:leased'}
local channels = {':events', ':dead:events'}

-- Gives a right that the user lacks, if there is one. A server does not undo what a function has
-- done before a call that it refuses, so all of them are looked at before a queue is used.
local function missing_right(prefix)
  local function missing(commands, what, names)
    for _, command in ipairs(commands) do
      for _, name in ipairs(names) do
        if not redis.acl_check_cmd(command, prefix .. name) then
          return '+' .. string.lower(command) .. ' for the ' .. what .. ' ' .. prefix .. name
        end
      end
    end
  end
  if not redis.acl_check_cmd('TIME') then return '+time' end
  return missing(hash_commands, 'key', hashes) or missing(zset_commands, 'key', zsets) or
    missing({'PUBLISH'}, 'channel', channels)
end

-- Waiting ----------------------------------------------------------------------------------------

-- Without an error if the right to it has been taken away: an error would stop in the middle, and
-- who waits asks now and then.
local function publish(prefix, event)
  redis.pcall('PUBLISH', prefix .. ':events', event)
end

-- A process waits until `least` of them are there: room, or elements. The least counts.
local function wait_for(prefix, field, least)
  local waiting = redis.call('HGET', prefix .. ':meta', field)
  if not waiting or least < tonumber(waiting) then
    redis.call('HSET', prefix .. ':meta', field, least)
  end
end

local function tell(prefix, field, available, event)
  local least = redis.call('HGET', prefix .. ':meta', field)
  if least and available >= tonumber(least) then
    redis.call('HDEL', prefix .. ':meta', field)
    publish(prefix, event)
  end
end

local function tell_about_items(prefix)
  local free = redis.call('HLEN', prefix .. ':data') - redis.call('ZCARD', prefix .. ':leased')
  tell(prefix, 'waits_for_items', free, 'i')
end

local function tell_about_room(prefix)
  local capacity, closed = unpack(redis.call('HMGET', prefix .. ':meta', 'capacity', 'closed'))
  tell(prefix, 'waits_for_room', capacity - redis.call('HLEN', prefix .. ':data'), 'r')
  -- fewer are left than a process may wait for
  if closed == '1' then publish(prefix, 'c') end
end

-- Elements ---------------------------------------------------------------------------------------

-- When the next lease ends, or before.
local function first_end(prefix)
  local first = redis.call('ZRANGE', prefix .. ':leased', 0, 0, 'WITHSCORES')[2]
  return first and digits(math.floor(first)) or never
end

-- (G6) Afterwards all that `data` has and no consumer is in `ready`, also of a fifo queue.
local function mend(prefix)
  local meta, data = prefix .. ':meta', prefix .. ':data'
  local there, gone = {}, nil
  local ids = redis.call('HKEYS', data)
  for _, id in ipairs(ids) do there[id] = true end
  for _, zset in ipairs({prefix .. ':leased', prefix .. ':ready'}) do
    gone = {}
    for _, id in ipairs(redis.call('ZRANGE', zset, 0, -1)) do
      if there[id] == true then there[id] = zset else gone[#gone + 1] = id end
    end
    if gone[1] then call_with('ZREM', zset, gone) end
  end
  for _, hash in ipairs({prefix .. ':tries', prefix .. ':why'}) do
    gone = {}
    for _, id in ipairs(redis.call('HKEYS', hash)) do
      if not there[id] then gone[#gone + 1] = id end
    end
    if gone[1] then call_with('HDEL', hash, gone) end
  end
  local back = {}
  for _, id in ipairs(ids) do
    if there[id] == true then
      back[#back + 1] = string.match(id, ':(.*)$') or 0
      back[#back + 1] = id
    end
  end
  if back[1] then call_with('ZADD', prefix .. ':ready', back) end
  local enqueued, out = unpack(redis.call('HMGET', meta, 'enqueued', 'out'))
  local lost = out and enqueued - out - #ids or 0
  if lost ~= 0 then
    redis.call('HINCRBY', meta, 'out', digits(lost))
    redis.call('HINCRBY', meta, 'lost', digits(math.max(0, lost)))  -- or there are more
  end
  redis.call('HSET', meta, 'came_back', 1, 'next_end', first_end(prefix))
  publish(prefix, 'l')
  tell_about_items(prefix)
  tell_about_room(prefix)
end

-- (G5) Its numbers begin with the microseconds of its clock, and so behind those of one that was
-- deleted: no server takes an element in each microsecond. (G6) Elements of one that has lost only
-- what is written here stay.
local function create(prefix, kind, capacity, max_deliveries, min_after_dequeue, delay, most_delay)
  local meta = prefix .. ':meta'
  if redis.call('HGET', meta, 'kind') then return end
  local base = 1000 * now_ms()
  local size = redis.call('HLEN', prefix .. ':data')
  redis.call('HSET', meta, 'kind', kind, 'closed', '0', 'enqueued', digits(base + size),
    'base', digits(base), 'out', digits(base), 'next_end', never,
    'capacity', capacity, 'max_deliveries', max_deliveries,
    'min_after_dequeue', min_after_dequeue, 'retry_delay', delay or 0,
    'max_retry_delay', most_delay or 0)
  if size > 0 then mend(prefix) end
end

-- Numbers `count` elements, whose bytes and priorities are from args[i] on, behind the last one.
-- They go to the ends of `data` and `ready`, the arguments of what has to be written. Gives the
-- numeral of the new last one.
local function list_elements(kind, last, now, args, i, count, data, ready)
  local number
  for at = i, i + 2 * count - 1, 2 do
    last = last + 1
    number = numeral(last)
    local id, priority = number, args[at + 1]
    if kind == 'priority' then id = id .. ':' .. priority end
    local next = #data + 1
    data[next], data[next + 1] = id, now .. args[at]
    if ready then ready[next], ready[next + 1] = priority, id end
  end
  return number
end

-- Puts an element among the dead letters, which are a queue of their own.
local function bury(prefix, id, tries, why)
  local dead, meta = prefix .. ':dead', prefix .. ':meta'
  local stored = redis.call('HGET', prefix .. ':data', id)
  if not stored then return end  -- (G6)
  create(dead, 'fifo', never, 0, 0)
  local number = numeral(redis.call('HGET', dead .. ':meta', 'enqueued') + 1)
  redis.call('HSET', dead .. ':data', number, digits(now_ms()) .. string.sub(stored, 14))
  redis.call('HSET', dead .. ':why', number,
    tries .. ' ' .. why .. ' ' .. (string.match(id, ':(.*)$') or 0))
  redis.call('HSET', dead .. ':meta', 'enqueued', number)
  redis.call('HDEL', prefix .. ':data', id)
  redis.call('HDEL', prefix .. ':tries', id)
  redis.call('HINCRBY', meta, 'dead', 1)
  if redis.call('HGET', meta, 'out') then redis.call('HINCRBY', meta, 'out', 1) end
  tell_about_items(dead)
end

-- Something in `leased` ends at this time.
local function note_end(meta, end_ms)
  if end_ms < tonumber(redis.call('HGET', meta, 'next_end')) then
    redis.call('HSET', meta, 'next_end', digits(end_ms))
  end
end

-- (G7)
local function delay(prefix, id, ms)
  local end_ms = now_ms() + ms
  redis.call('ZADD', prefix .. ':leased', digits(end_ms) .. '.5', id)
  note_end(prefix .. ':meta', end_ms)
end

-- Elements that no consumer has any more go back, each to its old place. With a letter for why, as
-- in `:dead:why`, that was a delivery, and the next one may be delayed: twice as long each time.
local function take_back(prefix, ids, why)
  if #ids == 0 then return end
  local meta = prefix .. ':meta'
  local most, first_delay, most_delay = unpack(redis.call('HMGET', meta,
    'max_deliveries', 'retry_delay', 'max_retry_delay'))
  most, first_delay = most + 0, (first_delay or 0) + 0
  local buried = false
  for _, id in ipairs(ids) do
    local tries = why and redis.call('HINCRBY', prefix .. ':tries', id, 1) or 0
    if most > 0 and tries >= most then
      bury(prefix, id, tries, why)
      buried = true
    elseif why and first_delay > 0 then
      delay(prefix, id, math.min(first_delay * 2 ^ (tries - 1), most_delay + 0))
    else
      redis.call('ZADD', prefix .. ':ready', string.match(id, ':(.*)$') or 0, id)
    end
  end
  redis.call('HSET', meta, 'came_back', 1)
  if why then redis.call('HINCRBY', meta, 'redelivered', #ids) end
  tell_about_items(prefix)
  if buried then tell_about_room(prefix) end
end

-- Of a clock that was set back leases would last as much longer.
local function shorten_leases(prefix, now)
  local leased = prefix .. ':leased'
  local latest = digits(now + (redis.call('HGET', prefix .. ':meta', 'longest') or never))
  local late = redis.call('ZRANGE', leased, '(' .. latest .. '.5', '+inf', 'BYSCORE', 'WITHSCORES')
  for i = 1, #late, 2 do
    redis.call('ZADD', leased, latest .. (late[i + 1] % 1 > 0 and '.5' or ''), late[i])
  end
end

-- Gives when the next lease ends.
local function take_back_expired(prefix, now)
  local leased = prefix .. ':leased'
  shorten_leases(prefix, now)
  local found = redis.call('ZRANGE', leased, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100, 'WITHSCORES')
  local ended, delayed = {}, {}
  for i = 1, #found, 2 do
    redis.call('ZREM', leased, found[i])
    with(found[i + 1] % 1 > 0 and delayed or ended, found[i])  -- (G7)
  end
  take_back(prefix, ended, 'e')
  take_back(prefix, delayed)
  local next_end = first_end(prefix)
  redis.call('HSET', prefix .. ':meta', 'next_end', next_end)
  return next_end
end

-- Lets elements go that are done. `came_back` and `out` are those of `meta`.
local function let_go(prefix, ids, came_back, out)
  local meta, tries = prefix .. ':meta', prefix .. ':tries'
  call_with('HDEL', prefix .. ':data', ids)
  if out then redis.call('HINCRBY', meta, 'out', #ids) end
  if string.sub(prefix, -5) == ':dead' then call_with('HDEL', prefix .. ':why', ids) end
  if came_back then
    call_with('HDEL', tries, ids)
    if redis.call('HLEN', tries) + redis.call('ZCARD', prefix .. ':ready') == 0 then
      redis.call('HDEL', meta, 'came_back')
    end
  end
end

-- The next `count` identifiers, which are there. Of a fifo queue `first` is the first number that
-- no consumer has had, and what it is then is given, too.
local function next_ids(prefix, kind, count, first, came_back)
  if kind == 'shuffle' then
    local ids = redis.call('ZRANDMEMBER', prefix .. ':ready', count)
    if ids[1] then call_with('ZREM', prefix .. ':ready', ids) end
    return ids, first
  end
  local ids = {}
  if kind == 'priority' or came_back then
    local popped = redis.call('ZPOPMIN', prefix .. ':ready', count)
    for i = 1, #popped, 2 do ids[#ids + 1] = popped[i] end
  end
  for i = #ids + 1, count do
    ids[i] = numeral(first)
    first = first + 1
  end
  return ids, first
end

-- Adds {end in ms, identifier, ...}; nothing and false if one of them is there.
local function lease_new(leased, list)
  local added = 0
  for first = 1, #list, chunk do
    local last = math.min(first + chunk - 1, #list)
    added = added + redis.call('ZADD', leased, 'NX', unpack(list, first, last))
  end
  if 2 * added == #list then return true end
  for i = 1, #list, 2 do
    if redis.call('ZSCORE', leased, list[i + 1]) == list[i] then
      redis.call('ZREM', leased, list[i + 1])
    end
  end
  return false
end

-- Gives {id, attempt, bytes, ...} of these elements, which are leased from now on; nothing if bytes
-- are missing, or one of them is leased already: then none of the others is (G6).
local function lease(prefix, ids, end_ms, came_back)
  if not ids[2] then
    local id = ids[1]
    local bytes = redis.call('HGET', prefix .. ':data', id)
    if not bytes then return end
    if redis.call('ZADD', prefix .. ':leased', 'NX', end_ms, id) == 0 then return end
    local tries = came_back and redis.call('HGET', prefix .. ':tries', id) or 0
    return {id, tries + 1, bytes}
  end
  local leased, reply = {}, {}
  local bytes = call_with('HMGET', prefix .. ':data', ids)
  local tries = came_back and call_with('HMGET', prefix .. ':tries', ids) or {}
  for i, id in ipairs(ids) do
    if not bytes[i] then return end
    leased[2 * i - 1], leased[2 * i] = end_ms, id
    reply[3 * i - 2], reply[3 * i - 1], reply[3 * i] = id, (tries[i] or 0) + 1, bytes[i]
  end
  if lease_new(prefix .. ':leased', leased) then return reply end
end

-- Gives `longest` with this lease. Without it, of older functions or a lost `meta`, it is that of
-- those that run, and the longest delay.
local function note_length(prefix, longest, lease_ms)
  if longest and lease_ms - longest <= 0 then return longest end
  if not longest then
    local last = redis.call('ZRANGE', prefix .. ':leased', -1, -1, 'WITHSCORES')[2]
    longest = math.max(last and math.ceil(last - now_ms()) or 0,
      redis.call('HGET', prefix .. ':meta', 'max_retry_delay') or 0)
  end
  longest = digits(math.max(longest, lease_ms))
  redis.call('HSET', prefix .. ':meta', 'longest', longest)
  return longest
end

-- Begins a lease anew; false if it has ended.
local function extend(prefix, id, lease_ms)
  if not redis.call('ZSCORE', prefix .. ':leased', id) then return false end
  note_length(prefix, redis.call('HGET', prefix .. ':meta', 'longest'), lease_ms)
  local end_ms = now_ms() + lease_ms
  redis.call('ZADD', prefix .. ':leased', digits(end_ms), id)
  note_end(prefix .. ':meta', end_ms)
  return true
end

-- Forgets producers that have been silent for long, a few at a time.
local function forget_producers(meta)
  local cursor = redis.call('HGET', meta, 'cursor') or 0
  local page = redis.call('HSCAN', meta, cursor, 'MATCH', 'p:*', 'COUNT', 20)
  local since = now_ms() - producer_memory
  for i = 1, #page[2], 2 do
    if tonumber(string.match(page[2][i + 1], '%d+$')) < since then
      redis.call('HDEL', meta, page[2][i])
    end
  end
  redis.call('HSET', meta, 'cursor', page[1])
end

-- Names of producers -----------------------------------------------------------------------------

-- The parts of the record of a name, if there is one: the last enqueue, the count, the process.
local function parts_of(record)
  if record then return string.match(record, '^(%d+) (%d+) (.*)$') end
end

-- A process, without the number of its opening.
local function who(process)
  return string.match(process, '^[^#]*')
end

-- Gives the process that has the name, '' if there is none, and its last enqueue. From now on it is
-- `process` if it was `replaced` until now. A process has to say which one it replaces, because its
-- command may come late: then it takes the name from no process that came after it. One that opens the
-- queue anew replaces itself, and its enqueues keep their numbers.
local function take_name(meta, name, process, replaced)
  local last, count, owner = parts_of(redis.call('HGET', meta, 'n:' .. name))
  owner = owner or ''
  -- never nil, at which Redis would end the reply
  if owner == process or owner ~= replaced then return owner, last or '0' end
  if who(owner) ~= who(process) then last = '0' end
  redis.call('HSET', meta, 'n:' .. name, last .. ' ' .. (count or '0') .. ' ' .. process)
  return process, last
end

-- Functions --------------------------------------------------------------------------------------

-- Makes the queue unless there is one. Gives what it is now, in the order of its options; `base`,
-- which is that of no queue before; how many elements it has lost; its size.
local function open_queue(prefix, kind, capacity, max_deliveries, min_after_dequeue, ...)
  local meta = prefix .. ':meta'
  local right = missing_right(prefix)
  if right then return redis.error_reply('NOPERM the user lacks the right ' .. right) end
  create(prefix, kind, capacity, max_deliveries, min_after_dequeue, ...)
  -- Of functions before revision 5, which must not go on from there, and before 8.
  redis.call('HDEL', meta, 'taken', 'up_to')
  local enqueued, out = unpack(redis.call('HMGET', meta, 'enqueued', 'out'))
  local size = redis.call('HLEN', prefix .. ':data')
  if not out then redis.call('HSET', meta, 'out', digits(enqueued - size)) end
  forget_producers(meta)
  return with(redis.call('HMGET', meta, 'kind', 'capacity', 'max_deliveries', 'min_after_dequeue',
    'retry_delay', 'max_retry_delay', 'base', 'lost'), size)
end

-- KEYS: prefix. ARGV: kind, capacity, max_deliveries, min_after_dequeue, retry_delay,
-- max_retry_delay. Gives what `open_queue` gives.
local function open(keys, args)
  return open_queue(keys[1], unpack(args))
end

-- The same to enqueue under a name. ARGV: kind, capacity, max_deliveries, min_after_dequeue; name,
-- process, process that it replaces; retry_delay, max_retry_delay. Gives also, behind the first four
-- and if the queue is what was asked for, which process has the name, and its last enqueue.
local function open_as(keys, args)
  local is = open_queue(keys[1], args[1], args[2], args[3], args[4], args[8], args[9])
  if is.err or is[1] ~= args[1] then return is end
  local wanted = {args[1], args[2], args[3], args[4], args[8] or is[5], args[9] or is[6]}
  for i = 2, 6 do
    if tonumber(is[i] or 0) ~= tonumber(wanted[i] or 0) then return is end
  end
  local owner, last = take_name(keys[1] .. ':meta', args[5], args[6], args[7])
  return {is[1], is[2], is[3], is[4], owner, last, is[5], is[6], is[7], is[8], is[9]}
end

-- What `enqueue` does, with the calls from args[i] on. `field` of `meta` has the record of the
-- producer; `process` is nil if that has no name.
local function enqueue_calls(prefix, field, process, args, i)
  local meta = prefix .. ':meta'
  local kind, closed, capacity, enqueued, out, is_awaited, record = unpack(redis.call('HMGET',
    meta, 'kind', 'closed', 'capacity', 'enqueued', 'out', 'waits_for_items', field))
  if not kind then return no_queue(prefix) end
  local last, count, owner = '0', nil, nil
  if process then
    last, count, owner = parts_of(record)
    if not owner then return no_queue(prefix) end  -- it was made anew
    if owner ~= process then return fenced(string.sub(field, 3)) end  -- (G4)
  elseif record then
    last = string.match(record, '%d+')
  end
  local there = redis.call('HLEN', prefix .. ':data')
  if out and enqueued - out ~= there then mend(prefix) end  -- (G6)
  local room, added = capacity - there, 0
  local data, ready, now, new_last = {}, kind ~= 'fifo' and {}, nil, nil
  local last_call, done, why = last + 0, 0, 0
  while i <= #args do
    local size = args[i + 1] + 0
    if args[i] - last_call > 0 then
      if closed == '1' then why = 2 break end
      if added + size > room then
        why = 1
        wait_for(prefix, 'waits_for_room', size)
        break
      end
      now = now or digits(now_ms())
      new_last = list_elements(kind, enqueued + added, now, args, i + 2, size, data, ready)
      added = added + size
      last = args[i]
    end
    done = done + 1
    i = i + 2 + 2 * size
  end
  if added > 0 then
    -- before the bytes: an element without a place would count for ever
    if ready then call_with('ZADD', prefix .. ':ready', ready) end
    call_with('HSET', prefix .. ':data', data)
    redis.call('HSET', meta, 'enqueued', new_last, field,
      last .. ' ' .. (process and digits(count + added) .. ' ' .. process or now))
    if is_awaited then tell_about_items(prefix) end
  end
  return {done, why, there + added}
end

-- KEYS: prefix.
-- ARGV: producer; for each call its number, how many elements, and bytes and priority of each.
-- Gives {how many calls are done; why not the next: 0 all are, 1 full, 2 closed; how many elements
-- are there}. A call that is repeated is done already, also if the queue has been closed or filled
-- since.
local function enqueue(keys, args, first)
  first = first or 1
  return enqueue_calls(keys[1], args[first], nil, args, first + 1)
end

-- The same under a name. ARGV: name, process; for each call what enqueue() takes. What is done under
-- a name are functions of their own, so that no older functions do it without a look at who has the
-- name.
local function enqueue_as(keys, args, first)
  first = first or 1
  return enqueue_calls(keys[1], 'n:' .. args[first], args[first + 1], args, first + 2)
end

-- KEYS: prefix. ARGV: name, process. Gives how many elements have come in under the name.
local function position(keys, args)
  local record = redis.call('HGET', keys[1] .. ':meta', 'n:' .. args[1])
  local _, count, owner = parts_of(record)
  if not owner then return no_queue(keys[1]) end
  if owner ~= args[2] then return fenced(args[1]) end
  return tonumber(count)
end

-- KEYS: prefix. ARGV: lease in ms; for each call least, most, and whether a closed queue gives
-- fewer than the least.
-- Gives {why not the next call: 0 all are done, 1 too few, 2 closed and too few; how many are
-- there; for each call that is done {id, attempt, bytes, ...}}. Bytes have 13 digits before them.
local function dequeue(keys, args, first)
  first = first or 1
  local prefix = keys[1]
  local meta = prefix .. ':meta'
  local kind, closed, enqueued, out, next_end, longest, came_back = unpack(redis.call('HMGET', meta,
    'kind', 'closed', 'enqueued', 'out', 'next_end', 'longest', 'came_back'))
  if not kind then return no_queue(prefix) end
  closed = closed == '1'
  local size = redis.call('HLEN', prefix .. ':data')
  if out and enqueued - out ~= size then  -- (G6)
    mend(prefix)
    came_back = true
  end
  local now = now_ms()
  longest = note_length(prefix, longest, args[first])
  -- or the clock was set back
  if now - next_end >= 0 or next_end ~= never and next_end - now > longest + 1 then
    next_end, came_back = take_back_expired(prefix, now), true
    size = redis.call('HLEN', prefix .. ':data')
  end
  local end_ms = now + args[first]
  local stays = 0
  if kind == 'shuffle' and not closed then
    stays = tonumber(redis.call('HGET', meta, 'min_after_dequeue'))
  end
  local free = size - redis.call('ZCARD', prefix .. ':leased') - stays
  local returned = came_back and redis.call('ZCARD', prefix .. ':ready') or 0
  local number = enqueued - free + returned + 1  -- means something if the queue is fifo
  local reply = {0, size}
  local end_text = digits(end_ms)
  for i = first + 1, #args, 3 do
    local least, most = args[i] + 0, args[i + 1] + 0
    -- what is leased may come back, and so counts
    if closed and least > 1 and args[i + 2] == '1' then
      least = math.max(1, math.min(least, size))
    end
    if free < least then
      reply[1] = (closed and size < least) and 2 or 1
      if reply[1] == 1 then wait_for(prefix, 'waits_for_items', least + stays) end
      break
    end
    local count, ids = most < free and most or free, nil
    ids, number = next_ids(prefix, kind, count, number, came_back)
    local leased = #ids == count and lease(prefix, ids, end_text, came_back)
    if not leased then  -- (G6) what there is can be had after this
      reply[1] = 1
      wait_for(prefix, 'waits_for_items', least + stays)
      mend(prefix)
      break
    end
    free = free - count
    reply[#reply + 1] = leased
  end
  if #reply == 2 then return reply end
  if end_ms - next_end < 0 then redis.call('HSET', meta, 'next_end', end_text) end
  return reply
end

-- (G5) Whether the element is still that one. `name` is the time of its enqueue and the identifier.
local function identify(prefix, name)
  local id = string.sub(name, 14)
  local stored = redis.call('HGET', prefix .. ':data', id)
  return id, stored and string.sub(stored, 1, 13) == string.sub(name, 1, 13)
end

-- KEYS: prefix. ARGV: lease in ms; for each element what to do, identifier, attempt.
-- a: it is done; r: back to its place; u: the same, it has not been seen; e: a new lease. A capital
-- letter: the same, and the time of the enqueue is before the identifier.
-- Gives for each 1, or 0 if it is gone, or is with another consumer by now; 2 instead if it was to be
-- done and is there still.
local function settle(keys, args, first, last)
  first, last = first or 1, last or #args
  local prefix = keys[1]
  local meta, leased, tries = prefix .. ':meta', prefix .. ':leased', prefix .. ':tries'
  local closed, came_back, is_awaited, out = unpack(redis.call('HMGET', meta, 'closed',
    'came_back', 'waits_for_room', 'out'))
  if not closed then return no_queue(prefix) end
  local reply, done, back, unseen
  for i = first + 1, last, 3 do
    local what, id, attempt = args[i], args[i + 1], args[i + 2]
    local is_same = true
    if small[what] then
      what = small[what]
      id, is_same = identify(prefix, id)
    end
    local before = came_back and redis.call('HGET', tries, id) or 0
    local is_ours = is_same and attempt - before == 1
    if what == 'e' then
      is_ours = is_ours and extend(prefix, id, args[first])
    elseif not is_ours or redis.call('ZREM', leased, id) == 0 then
      is_ours = false
    elseif what == 'a' then
      done = with(done, id)
    elseif what == 'r' then
      back = with(back, id)
    else
      unseen = with(unseen, id)
    end
    local is_left = not is_ours and is_same and what == 'a' and
      redis.call('HGET', prefix .. ':data', id)
    reply = with(reply, is_ours and 1 or is_left and 2 or 0)
  end
  if done then
    let_go(prefix, done, came_back, out)
    if is_awaited or closed == '1' then tell_about_room(prefix) end
  end
  if back then take_back(prefix, back, 'r') end
  if unseen then take_back(prefix, unseen) end
  return reply or {}
end

-- KEYS: prefix. ARGV: how many elements are settled; as of `settle`; as of `act`.
-- Gives {what `settle` gives, what `act` gives}.
local function settle_and(act)
  return function(keys, args)
    local last = 2 + 3 * args[1]
    local settled = settle(keys, args, 2, last)
    if settled.err then return settled end
    return {settled, act(keys, args, last + 1)}
  end
end

-- KEYS: prefix. Closes the queue for all.
local function close(keys)
  if not redis.call('HGET', keys[1] .. ':meta', 'kind') then return no_queue(keys[1]) end
  redis.call('HSET', keys[1] .. ':meta', 'closed', 1)
  publish(keys[1], 'c')
  return 1
end

-- KEYS: prefix. Gives {size, leased, capacity, closed, age in ms or -1, enqueued, acknowledged,
-- redelivered, given up, dead letters, lost, base}.
local function status(keys)
  local prefix = keys[1]
  local capacity, closed, enqueued, base, out, redelivered, dead, lost = unpack(redis.call('HMGET',
    prefix .. ':meta', 'capacity', 'closed', 'enqueued', 'base', 'out', 'redelivered', 'dead',
    'lost'))
  if not capacity then return no_queue(prefix) end
  local size = redis.call('HLEN', prefix .. ':data')
  local leased = redis.call('ZCARD', prefix .. ':leased')
  local next_id = redis.call('ZRANGE', prefix .. ':ready', 0, 0)[1] or
    numeral(enqueued - size + leased + 1)
  local next_bytes = redis.call('HGET', prefix .. ':data', next_id)
  local count = enqueued - (base or 0)
  lost = (lost or 0) + (out and math.max(0, enqueued - out - size) or 0)
  return {
    size, leased, tonumber(capacity), tonumber(closed),
    next_bytes and math.max(0, now_ms() - string.sub(next_bytes, 1, 13)) or -1,
    count, math.max(0, count - size - (dead or 0) - lost), tonumber(redelivered or 0),
    tonumber(dead or 0), redis.call('HLEN', prefix .. ':dead:data'), lost, base or '0'
  }
end

-- KEYS: prefix, of the dead letters that of these. ARGV: how many at most.
-- Gives {{identifier, how often it was delivered, bytes, what `why` has or an empty text}, ...} of
-- those that are the next to leave, of a shuffle queue the oldest. They stay where they are.
local function peek(keys, args)
  local prefix = keys[1]
  local kind, enqueued = unpack(redis.call('HMGET', prefix .. ':meta', 'kind', 'enqueued'))
  if not kind then return no_queue(prefix) end
  local most = math.min(args[1] + 0, never + 0)
  if most == 0 then return {} end
  local ids = redis.call('ZRANGE', prefix .. ':ready', 0, digits(most - 1))
  if kind == 'fifo' then
    local unseen = redis.call('HLEN', prefix .. ':data') -
      redis.call('ZCARD', prefix .. ':leased') - redis.call('ZCARD', prefix .. ':ready')
    local first = enqueued - unseen + 1
    for number = first, math.min(first + most - #ids - 1, enqueued + 0) do
      ids[#ids + 1] = numeral(number)
    end
  end
  local reply = {}
  for _, id in ipairs(ids) do
    local bytes = redis.call('HGET', prefix .. ':data', id)
    if bytes then
      reply[#reply + 1] = {id, tonumber(redis.call('HGET', prefix .. ':tries', id) or 0), bytes,
        redis.call('HGET', prefix .. ':why', id) or ''}
    end
  end
  return reply
end

-- KEYS: prefix. ARGV: how many at most. Dead letters that no consumer has, the oldest first, are
-- elements of the queue again, behind the others and as if they were new; also if it is closed, but
-- not more than there is room for. Gives {how many, how many dead letters are left}.
local function requeue(keys, args)
  local prefix = keys[1]
  local meta, dead = prefix .. ':meta', prefix .. ':dead'
  local kind, enqueued, capacity = unpack(redis.call('HMGET', meta, 'kind', 'enqueued', 'capacity'))
  if not kind then return no_queue(prefix) end
  local last, next_end, came_back, out = unpack(redis.call('HMGET', dead .. ':meta', 'enqueued',
    'next_end', 'came_back', 'out'))
  if not last then return {0, 0} end
  local function mend_and_requeue()  -- (G6)
    mend(dead)
    return requeue(keys, args)
  end
  local size = redis.call('HLEN', dead .. ':data')
  if out and last - out ~= size then return mend_and_requeue() end
  local now = now_ms()
  if now - next_end >= 0 then
    take_back_expired(dead, now)
    came_back = true
  end
  local free = size - redis.call('ZCARD', dead .. ':leased')
  local count = math.min(args[1] + 0, free, capacity - redis.call('HLEN', prefix .. ':data'))
  if count > 0 then
    local returned = came_back and redis.call('ZCARD', dead .. ':ready') or 0
    local ids = next_ids(dead, 'fifo', count, last - free + returned + 1, came_back)
    local stored = call_with('HMGET', dead .. ':data', ids)
    local whys = call_with('HMGET', dead .. ':why', ids)
    local elements, seen = {}, {}
    for i, id in ipairs(ids) do
      if not stored[i] or seen[id] or redis.call('ZSCORE', dead .. ':leased', id) then
        return mend_and_requeue()
      end
      seen[id] = true
      elements[2 * i - 1] = string.sub(stored[i], 14)
      elements[2 * i] = whys[i] and string.match(whys[i], '[^ ]*$') or 0
    end
    local data, ready = {}, kind ~= 'fifo' and {}
    enqueued = list_elements(kind, enqueued, digits(now), elements, 1, count, data, ready)
    if ready then call_with('ZADD', prefix .. ':ready', ready) end
    call_with('HSET', prefix .. ':data', data)
    redis.call('HSET', meta, 'enqueued', enqueued)
    let_go(dead, ids, came_back, out)
    tell_about_room(dead)
    tell_about_items(prefix)
  end
  return {math.max(count, 0), redis.call('HLEN', dead .. ':data')}
end

-- Rises with every change that keeps the protocol: a newer program replaces older functions.
local function revision()
  return 9
end

local function register(name, callback, flag)
  redis.register_function{
    function_name = 'sluice_1_' .. name, callback = callback, flags = {flag}}
end

register('revision', revision, 'no-writes')
register('open', open, 'allow-oom')
register('open_as', open_as, 'allow-oom')
register('enqueue', enqueue)
register('enqueue_as', enqueue_as)
register('position', position, 'no-writes')
register('dequeue', dequeue, 'allow-oom')
register('settle', settle, 'allow-oom')
register('settle_and_enqueue', settle_and(enqueue))
register('settle_and_enqueue_as', settle_and(enqueue_as))
register('settle_and_dequeue', settle_and(dequeue), 'allow-oom')
register('close', close, 'allow-oom')
register('peek', peek, 'no-writes')
register('requeue', requeue)
register('status', status, 'no-writes')
