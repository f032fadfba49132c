# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What the page shows of snapshots that are chosen here."""

import json
import statistics

import browser
from scripted_server import ScriptedServer, a_queue, a_runner, a_snapshot, a_task


def row(name):
    """The selector of the row of a queue or a runner."""
    return f"[id$='-{name}%001']"


class PageShows(browser.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.server = ScriptedServer()

    def setUp(self):
        super().setUp()
        self.addCleanup(self.server.forget)

    def open(self, *snapshots):
        """Shows the snapshots one after the other, each once the page has the one before."""
        self.server.show(snapshots[0])
        self.browser.get(self.server.url)
        self.wait_for_snapshot(snapshots[0])
        for each in snapshots[1:]:
            self.show(each)

    def show(self, snapshot):
        self.server.show(snapshot)
        self.wait_for_snapshot(snapshot)

    def wait_for_snapshot(self, snapshot):
        elapsed = seconds(snapshot["elapsed_seconds"])
        self.wait_for_text("#figures [title=Elapsed] dd", elapsed)

    def cells(self, name):
        return self.texts(f"{row(name)} > *")

    def test_figures_are_those_of_the_snapshot(self):
        queue = dict(enqueued=12_128, dequeued=12_000, waiting_producers=3, high_water=250,
                     longest_wait_to_enqueue_seconds=0.25)
        self.open(a_snapshot(10, [a_queue("lines", 128, 256, **queue)]),
                  a_snapshot(11, [a_queue("lines", 129, 256, **{**queue, "enqueued": 12_378,
                                                                 "dequeued": 12_249})]))
        self.assertEqual(self.cells("lines"), [
            "lines", "fifo", "129 / 256normal", "", "250/s", "249/s", "3", "0", "250 ms", "12,378",
            "12,249", "250"])
        self.assertEqual(self.text("#figures [title='Dequeued, all queues'] dd"), "12,249")
        self.assertEqual(self.text("#figures [title='Dequeued per second, all queues'] dd"), "249/s")
        self.assertEqual(self.text("#name"), "test")
        self.assertEqual(self.text("#state"), "running")
        self.assertIn("from 128 to 129, now 129", self.attribute(f"{row('lines')} svg", "aria-label"))

    def attribute(self, selector, name):
        found = self.script("return document.querySelector(arguments[0]).getAttribute(arguments[1])",
                            selector, name)
        return found.replace("\u00a0", " ")

    def test_a_full_queue_is_seen_as_full(self):
        self.open(a_snapshot(1, [a_queue("full", 64, 64, waiting_producers=2), a_queue("half", 30, 64),
                                 a_queue("high", 60, 64), a_queue("empty", 0, 64)]))
        words = {name: self.text(f"{row(name)} .word") for name in ("full", "half", "high", "empty")}
        self.assertEqual(words, {"full": "full", "half": "normal", "high": "nearly full",
                                 "empty": "empty"})
        self.assertEqual(self.text("#figures [title='Full queues'] dd"), "1 of 4")
        tank = ".node.queue[data-full]"
        self.assertEqual(self.attribute(tank, "aria-label"),
                         "Queue full: 64 / 64, full, 2 waiting to enqueue")
        heights = self.script(
            "const tank = document.querySelector(arguments[0]);"
            "return [tank.querySelector('.level'), tank.querySelector('.inside')]"
            ".map(e => e.getBBox().height)", tank)
        self.assertGreater(heights[0], 0.95 * heights[1])
        self.assertEqual(self.script(
            "return getComputedStyle(document.querySelector(arguments[0] + ' .fill i')).width"
            " === getComputedStyle(document.querySelector(arguments[0] + ' .fill')).width",
            row("full")), True)

    def test_a_closed_an_unbounded_and_a_rendezvous_queue_say_so(self):
        self.open(a_snapshot(1, [a_queue("closed", 0, 8, closed=True),
                                 a_queue("draining", 3, 8, closed=True),
                                 a_queue("unbounded", 70_000, None),
                                 a_queue("rendezvous", 0, 0)]))
        self.assertEqual([self.text(f"{row(name)} .word") for name in
                          ("closed", "draining", "unbounded", "rendezvous")],
                         ["closed", "closed, draining", "no limit", "rendezvous"])
        self.assertEqual(self.text(f"{row('unbounded')} .figure"), "70,000 / ∞")

    def test_queues_on_a_server_have_a_table_that_says_when_they_were_read(self):
        read = dict(pending=16, redelivered=5, dead=3, dead_letters=2, oldest_age_seconds=2.1,
                    read_seconds_ago=0.25, stale=False, problem=None)
        unread = dict(read, pending=0, oldest_age_seconds=None, read_seconds_ago=None, stale=True)
        cut = dict(read, read_seconds_ago=12, stale=True, problem="out of reach")
        self.open(a_snapshot(1, [a_queue("local", 1, 8)]))
        self.assertTrue(self.script("return document.querySelector('#remote').hidden"))
        self.show(a_snapshot(2, [a_queue("local", 1, 8), a_queue("jobs", 128, 256, remote=read),
                                 a_queue("new", 0, 8, remote=unread),
                                 a_queue("cut", 3, 8, remote=cut)]))
        self.assertEqual(self.texts("#remote-table tbody tr:nth-child(1) > *"),
                         ["jobs", "128", "16", "2.1 s", "5", "3", "2", "250 ms ago"])
        self.assertEqual(self.texts("#remote-table tbody tr > :last-child"),
                         ["250 ms ago", "never, out of date", "12.0 s ago, out of date: out of reach"])
        self.assertEqual(self.text(f"{row('new')} .word"), "not read yet")

    def test_the_time_of_a_runner_adds_up_to_100_percent(self):
        runner = dict(busy_seconds=1, blocked_on_enqueue_seconds=1, blocked_on_dequeue_seconds=1)
        later = dict(busy_seconds=2, blocked_on_enqueue_seconds=2, blocked_on_dequeue_seconds=2)
        self.open(a_snapshot(1, [a_queue("q", 1, 2)], [a_runner("split", "q", None, **runner)]),
                  a_snapshot(2, [a_queue("q", 1, 2)], [a_runner("split", "q", None, **later)]))
        for bars, whole in ((f"{row('split')} .shares i", 100), (".node.runner rect:not(.box)", 140)):
            widths = self.script(
                "return [...document.querySelectorAll(arguments[0])].filter(e => !e.matches('.track'))"
                ".map(e => parseFloat(e.getAttribute('width') ?? e.style.width))", bars)
            self.assertEqual(len(widths), 5)
            self.assertAlmostEqual(sum(widths), whole, delta=0.3)
        self.assertEqual(self.text(f"{row('split')} .words"),
                         "busy 34 %, waits to enqueue 33 %, waits to dequeue 33 %")

    def test_each_queue_behind_a_runner_has_an_edge(self):
        queues = [a_queue(name, 1, 8) for name in ("lines", "all", "alarms", "rejects")]
        self.open(a_snapshot(1, queues, [a_runner("parse", "lines", ["all", "alarms"], errors_to="rejects")]))
        self.assertEqual(self.script("return document.querySelectorAll('.edge').length"), 4)
        self.assertEqual(self.cells("parse")[3], "all, alarms")

    def test_tasks_that_wait_and_stragglers_are_named(self):
        self.open(a_snapshot(
            1, [a_queue("lines", 0, 8)], [],
            [a_task("parser", "waiting to dequeue", "dequeue on queue 'lines'", "lines", 4.2),
             a_task("deaf", straggler=True, since=9)], state="stopping"))
        self.assertEqual(self.texts("#wait-table tbody tr")[1],
                         "parserdequeue on queue 'lines'4.2 s")
        self.assertEqual(self.texts("#stragglers li"), ["deaf: busy for 9.0 s"])
        self.assertEqual(self.attribute(".node.tasks", "aria-label"),
                         "Tasks parser: 1 task, 1 to dequeue")

    def test_the_first_error_is_shown_in_full(self):
        error = "count: cannot write 'out.txt'\n  <b>No space left</b> " + "x" * 3000
        self.open(a_snapshot(1, state="stopping", first_error=error, coordinators=[
            {"name": "test", "tasks": 0, "stop_requested": True, "errors": [error, "second"]}]))
        self.assertEqual(self.text("#error"), error)
        self.assertEqual(self.texts("#more-errors li"), ["second"])
        self.assertEqual(self.text("#state"), "stopping, failed")
        self.assertIn("error", self.texts("#events b"))

    def test_a_lost_connection_is_shown_and_found_again(self):
        self.expects_network_errors = True
        self.open(a_snapshot(1, [a_queue("lines", 3, 8)]))
        self.assertEqual(self.text("#connection"), "live")
        self.server.hang_up()
        self.wait_for_text("#connection", "connection lost, retrying")
        self.assertEqual(self.text(f"{row('lines')} .figure"), "3 / 8")  # what was seen last stays
        self.server.come_back()
        self.wait_for_text("#connection", "live")
        self.assertIn("connected again", self.texts("#events span"))
        # in the columns of the others
        self.assertEqual(self.script("""
            return new Set([...document.querySelectorAll('#events span')].map(e => e.getBoundingClientRect().left)).size"""), 1)

    def test_the_final_state_stays(self):
        self.expects_network_errors = True
        self.open(a_snapshot(1, [a_queue("lines", 3, 8)]),
                  a_snapshot(2, [a_queue("lines", 0, 8, closed=True)], state="done"))
        self.server.hang_up()
        self.wait_for_text("#connection", "ended; this is the final state")
        self.assertEqual(self.text(f"{row('lines')} .word"), "closed")

    def test_names_are_text_and_never_markup(self):
        hostile = "<img src=x onerror=document.title='bad'>\"'&"
        self.open(a_snapshot(1, [a_queue(hostile, 1, 8), a_queue("", 1, 8), a_queue("twice", 1, 8),
                                 a_queue("twice", 2, 8)],
                             [a_runner(hostile, hostile, None)], [a_task(hostile, "busy", hostile)],
                             name=hostile, bottleneck=hostile, first_error=hostile))
        self.assertEqual(self.script("return document.images.length"), 0)
        self.assertEqual(self.texts("#queue-table tbody th"), [hostile, "unnamed", "twice", "twice #2"])
        self.assertEqual(self.text("#name"), hostile)

    def test_a_frozen_display_keeps_what_is_shown(self):
        self.open(a_snapshot(1, [a_queue("lines", 3, 8)]))
        freeze = self.find("#freeze")
        self.assertEqual(freeze.text, "Freeze display")
        freeze.click()
        self.assertEqual(freeze.get_attribute("aria-pressed"), "true")
        self.wait_for_text("#connection", "display frozen")
        self.server.show(a_snapshot(2, [a_queue("lines", 5, 8)], state="draining"))
        self.wait_for_one("#events span", "running → draining")
        self.assertEqual(self.text(f"{row('lines')} .figure"), "3 / 8")
        freeze.click()
        self.wait_for_text(f"{row('lines')} .figure", "5 / 8")

    def test_each_end_of_a_run_is_an_end(self):
        self.expects_network_errors = True
        for number, state in enumerate(("done", "drained", "stopped", "failed")):
            self.open(a_snapshot(number + 1, [a_queue("lines", 0, 8)], state=state))
            self.wait_for_text("#connection", "ended")
            self.assertEqual(self.text("#state"), state)
        self.server.show(a_snapshot(9, state="failed", first_error="no"))
        self.wait_for_text("#error", "no")
        self.assertEqual(self.text("#state"), "failed")

    def test_a_ready_task_and_the_time_of_ready_workers_are_shown_as_that(self):
        self.open(a_snapshot(1, [], [a_runner("read", None, None)], [a_task("read/0")]),
                  a_snapshot(2, [], [a_runner("read", None, None, ready_seconds=3, busy_seconds=1)],
                             [a_task("read/0", "ready, no free thread", since=2)]))
        self.wait_for_text("#wait-table tbody td", "ready, no free thread")
        self.assertEqual(self.text("[id='runner-read%001'] .words"), "busy 25 %, no free thread 75 %")

    def test_large_numbers_have_separators(self):
        self.open(a_snapshot(1, [a_queue("lines", 12345, 20000, waiting_producers=1200)],
                             [a_runner("read", None, "lines", workers=2000, running=1500)]))
        self.assertEqual(self.text("#figures [title='Elements in queues'] dd"), "12,345")
        self.assertIn("1,200 waiting to enqueue", self.attribute(".node.queue", "aria-label"))
        self.assertEqual(self.text("[id='runner-read%001'] td:nth-child(5)"), "1,500 of 2,000")

    def test_a_header_sorts_and_a_filter_selects(self):
        self.open(a_snapshot(1, [a_queue("b", 1, 8), a_queue("a10", 8, 8), a_queue("a9", 4, 8)]))
        names = lambda: self.texts("#queue-table tbody th")
        header = lambda number: self.find(f"#queue-table thead th:nth-child({number})")
        click = lambda number: header(number).find_element("tag name", "button").click()
        click(1)
        self.assertEqual(names(), ["a9", "a10", "b"])
        self.assertEqual(header(1).get_attribute("aria-sort"), "ascending")
        click(3)
        self.assertEqual(names(), ["a10", "a9", "b"])
        self.assertEqual(header(3).get_attribute("aria-sort"), "descending")
        self.assertEqual(header(1).get_attribute("aria-sort"), "none")
        click(3)
        self.assertEqual(names(), ["b", "a9", "a10"])
        click(3)
        self.assertEqual(names(), ["b", "a10", "a9"])  # the order of the program
        self.find("#queue-filter").send_keys("FULL")
        self.assertEqual(names(), ["a10"])

    def test_a_page_of_200_queues_stays_fluid(self):
        def frame(number, only=None):
            return a_snapshot(number, [
                a_queue(f"q{i}", (i + (number if only in (None, i) else 0)) % 64, 64) for i in range(200)])

        self.open(frame(1))
        before = self.layouts()
        for number in range(2, 7):
            self.show(frame(number))
        # A script that reads sizes between its changes lays the page out again and again.
        layouts = self.layouts() - before
        times = self.script("return performance.getEntriesByName('draw').map(e => e.duration)")
        print(f"\n200 queues: {statistics.median(times):.1f} ms and {layouts / 5} layouts per snapshot")
        self.assertLess(layouts, 10 * 5)

        # What has not changed is not touched: a snapshot in which one queue changes.
        for number in (100, 101):  # with rates
            self.show(frame(number, only=-1))
        self.script("""
            window.changed = new Set();
            new MutationObserver(all => { for (const {target} of all) {
                const element = target.nodeType === 1 ? target : target.parentElement;
                const row = element.closest('#queue-table tbody tr, .node');
                if (row && !element.closest('.sparkline, svg.sparkline')) changed.add(row);
            } }).observe(document.body, {subtree: true, childList: true, attributes: true,
                                         characterData: true});""")
        self.show(frame(102, only=17))
        self.assertEqual(self.script("return changed.size"), 2)  # its row and its tank

    def layouts(self):
        """How often the browser has computed where everything is."""
        metrics = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "LayoutCount")

    def test_nothing_is_cut_off_in_a_narrow_window(self):
        for width in (320, 400, 700):
            self.resize(width, 900)
            self.open(a_snapshot(1, [a_queue("a_long_name_of_a_queue_" * 4, 3, 8)],
                                 [a_runner("read", None, "a_long_name_of_a_queue_" * 4)],
                                 name="n" * 200, bottleneck="b" * 300))
            self.assertLessEqual(self.script("return document.scrollingElement.scrollWidth"), width)

    def test_how_long_an_operation_waits_is_seen_beside_a_long_name(self):
        operation = f"dequeue_some(256) on queue '{'a_long_name_' * 8}'"
        for width in (400, 1360):
            self.resize(width, 900)
            self.open(a_snapshot(1, tasks=[a_task("show/0", "waiting to dequeue", operation, since=1)]))
            self.assertLessEqual(self.script("""
                return document.querySelector('#wait-table td:last-child').getBoundingClientRect().right"""), width)

    def test_what_is_cut_off_is_in_a_tooltip(self):
        name = "a_long_name_of_a_queue_" * 4
        self.open(a_snapshot(1, [a_queue(name, 3, 8)], [a_runner("read", None, name)]))
        self.assertEqual(self.find("#queue-table tbody th").get_attribute("title"), name)
        self.assertEqual(self.find("#runner-table td:nth-child(4)").get_attribute("title"), name)
        self.assertEqual(self.text(".node.queue title"), name)

    def test_another_width_draws_the_graph_anew(self):
        self.open(a_snapshot(1, [a_queue("q", 3, 8)], [a_runner("read", None, "q"), a_runner("write", "q", None)]))
        wide = "const {width, height} = document.querySelector('#graph svg').getBoundingClientRect(); return width > height"
        self.assertTrue(self.script(wide))
        self.resize(400, 900)
        self.wait_for(wide.replace(">", "<"))  # downwards

    def test_everything_that_can_be_used_has_a_name_and_a_role(self):
        self.open(self.rich())
        nameless = self.script("""
            const named = e => (e.getAttribute('aria-label') || e.textContent || '').trim() ||
                document.getElementById(e.getAttribute('aria-labelledby'))?.textContent || e.labels?.length;
            return [...document.querySelectorAll(
                'button, a, input, select, section, table, [tabindex="0"], [role=img], [role=group]')]
                .filter(e => !named(e)).map(e => e.outerHTML);""")
        self.assertEqual(nameless, [])
        self.assertEqual(self.script("""
            return [...document.querySelectorAll('thead th:not([scope=col]), tbody th:not([scope=row])')].length"""), 0)
        self.assertEqual(self.script("""
            return [...document.querySelectorAll('thead th')].every(th => th.ariaSort && th.querySelector('button'))"""), True)
        self.assertEqual(self.script("return document.documentElement.lang"), "en")
        self.assertEqual(self.script("return ['header', 'main', 'footer', 'h1'].map(e => document.querySelectorAll(e).length)"),
                         [1, 1, 1, 1])
        self.assertEqual(self.script("return [...document.querySelectorAll('[id]')].length"),
                         self.script("return new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"))
        # what is read aloud by itself changes seldom
        live = self.script("return [...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map(e => e.id)")
        self.assertEqual(live, ["connection", "announcer"])

    def test_the_focus_goes_through_the_page_in_its_order(self):
        self.open(self.rich())
        self.script("""
            window.places = [];
            document.activeElement.blur();
            document.addEventListener('focusin', ({target}) => places.push([
                target.id || target.className.baseVal || target.className || target.textContent,
                getComputedStyle(target).outlineStyle !== 'none',
                [...document.querySelectorAll('*')].indexOf(target)]));""")
        self.browser.switch_to.active_element.send_keys("\ue004" * 40)  # Tab
        seen = []
        for place in self.script("return places"):
            if seen and place[2] <= seen[-1][2]:
                break
            seen.append(place)
        self.assertEqual([name for name, _, _ in seen][:4], ["skip", "freeze", "error", "graph"])
        self.assertEqual([name for name, visible, _ in seen if not visible], [])
        self.assertIn("node queue", [name for name, _, _ in seen])
        self.assertIn("queue-filter", [name for name, _, _ in seen])

    def test_text_has_the_contrast_that_it_needs(self):
        for dark in (False, True):
            self.resize(1360, 1000, dark)
            self.open(self.rich())
            poor = self.script(CONTRAST)
            self.assertEqual(poor, [], f"{'dark' if dark else 'light'}: {json.dumps(poor, indent=1)}")

    @staticmethod
    def rich():
        """A bit of everything."""
        return a_snapshot(
            3, [a_queue("full", 8, 8), a_queue("high", 6, 8), a_queue("low", 1, 8),
                a_queue("closed", 0, 8, closed=True)],
            [a_runner("read", None, "full", busy_seconds=1), a_runner("split", "full", "high", running=0)],
            [a_task("reader", "waiting to dequeue", "dequeue on queue 'low'", "low", 1),
             a_task("deaf", straggler=True)],
            state="stopping", first_error="it is broken", bottleneck="The bottleneck is \"read\".")


# The ratio of luminances of each text and of what is behind it, as WCAG 2 has it.
CONTRAST = """
const numbers = colour => (colour.match(/[\\d.]+/g) ?? []).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = element => {
    for (let e = element; e; e = e.parentElement) {
        const [r, g, b, a = 1] = numbers(getComputedStyle(e).backgroundColor);
        if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
};
// in a picture: the box of its node, and the level in a tank
const fills = text => {
    const node = text.closest('.node');
    const shapes = node ? [...node.querySelectorAll('.box, .inside, .level')] : [];
    return shapes.length ? shapes.map(e => numbers(getComputedStyle(e).fill)) : [behind(text)];
};
const poor = [];
for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest('.unseen, .skip, option')) continue;
    const style = getComputedStyle(element);
    const isPicture = element instanceof SVGElement;
    const front = luminance(numbers(isPicture ? style.fill : style.color));
    for (const ground of isPicture ? fills(element) : [behind(element)]) {
        const back = luminance(ground);
        const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        if (ratio < 4.5) poor.push([element.textContent, element.className.baseVal ?? element.className, ratio.toFixed(2)]);
    }
}
return poor;
"""


def seconds(value):
    """As format.js, for the values used here."""
    if value >= 60:
        return f"{value // 60} min {value % 60} s"
    return f"{value:.1f} s"
