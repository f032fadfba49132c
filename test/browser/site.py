# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Looks at the site that `./dev docs` has built: site.py [<test>...], with SITE=build/docs/html"""

import functools
import http.server
import os
import re
import threading
import unittest
from html import unescape
from pathlib import Path
from urllib.parse import quote_plus, unquote

import browser

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(os.environ.get("SITE", ROOT / "build/docs/html")).resolve()

# What people type, and what must be among the first three results.
WORDS = {
    "timeout": "guide/cancellation.html#timeouts",
    "graceful shutdown": "guide/shutdown.html",
    "graceful": "guide/shutdown.html#recipe-drain-a-program",
    "SIGINT": "recipes.html#drain-on-sigint",
    "signal": "recipes.html#react-to-a-signal",
    "backpressure": "tutorial/2_backpressure.html",
    "deadlock": "troubleshooting.html#my-program-hangs",
    "stuck": "troubleshooting.html#my-program-hangs",
    "delay": "guide/queues.html#delay-an-element",
    "socket": "recipes.html#both-directions-of-a-socket",
    "strand": "guide/executors.html#tasks-that-share-a-strand",
    "exactly once": "guide/redis.html#enqueue-once",
    "cancel": "guide/cancellation.html",
    "channel": "comparison.html",
    "thread pool": "guide/executors.html#io-context-pool",
    "batch": "recipes.html#batch-by-size-or-time",
    "priority": "reference/queue/priority_queue.html",
    "redis": "guide/redis.html",
    "metrics": "guide/monitor.html#give-metrics-to-prometheus",
    "retry": "recipes.html#try-again-after-a-failure",
    "rate limit": "recipes.html#limit-concurrency",
    "producer consumer": "tutorial/1_first_queue.html",
    "close": "guide/shutdown.html#close-a-queue",
    "timer": "guide/cancellation.html#timeouts",
    "TensorBoard": "guide/reports.html",
    "install": "installation.html",
    "compile error": "troubleshooting.html#it-does-not-compile",
    "blocking call": "guide/executors.html#functions-that-block",
    "fifo_queue": "reference/queue/fifo_queue.html",
    "enqueue": "reference/queue/basic_queue.html#enqueue",
    "QueueRunner": "tensorflow.html",
    "ordered": "guide/queue_runners.html#producers",
    "HTTP server": "guide/a_service.html",
    "TCP server": "guide/shutdown.html#example-an-echo-service",
}
# One page of each kind.
KINDS = (
    "index.html", "installation.html", "tutorial/1_first_queue.html", "guide/queues.html", "guide/live_page.html",
    "recipes.html", "troubleshooting.html", "pipelines/stages.html", "errors.html", "behaviour.html",
    "performance.html", "reference/index.html", "reference/queue/index.html", "reference/queue/basic_queue.html",
    "reference/queue/fifo_queue.html", "reference/queue/queue_options.html", "reference/error.html",
    "samples/index.html", "samples/2_recipes/echo_service.cpp.html", "internals/testing.html", "changelog.html",
    "search.html?q=timeout",
)

SEARCH_IS_OVER = "return document.querySelector('.search-summary')?.textContent.match(/finished|not match/)"

# What is written, with what is behind it: the ratio of their luminances as WCAG 2 computes it.
WEAK_CONTRASTS = """
    const channels = text => {
        const numbers = text.match(/[\\d.]+/g).map(Number);
        return [...numbers.slice(0, 3), numbers[3] ?? 1];
    };
    const over = (front, back) => front.slice(0, 3).map((value, i) => value * front[3] + back[i] * (1 - front[3]));
    const luminance = colour => {
        const [red, green, blue] = colour.map(value => {
            const part = value / 255;
            return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = element => {
        if (!element)
            return [255, 255, 255];
        const colour = channels(getComputedStyle(element).backgroundColor);
        return colour[3] === 1 ? colour.slice(0, 3) : over(colour, behind(element.parentElement));
    };
    const weak = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const element = text.parentElement;
        if (!text.data.trim() || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
                || element.closest("script, style, noscript, .headerlink, .visually-hidden"))
            continue;
        const style = getComputedStyle(element);
        const back = behind(element);
        const [a, b] = [luminance(over(channels(style.color), back)), luminance(back)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize);
        const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
        if (ratio < needed)
            weak.set(`${style.color} on ${back}`, `${ratio.toFixed(2)}: ${text.data.trim().slice(0, 40)}`);
    }
    return [...weak].map(each => each.join(" "));
"""


# What is beyond the right edge, and in nothing that scrolls but the page itself.
CUT_OFF = """
    const scrolls = element => element && !element.matches(".content")
        && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll("article *, header *, footer *")]
        .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1
            && !element.closest(".visually-hidden") && !scrolls(element.parentElement))
        .map(element => element.outerHTML.slice(0, 80));
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class SitePages(browser.PageTest):
    @classmethod
    def setUpClass(cls):
        handler = functools.partial(QuietHandler, directory=SITE)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.browser.get("about:blank")
        cls.server.shutdown()
        cls.server.server_close()

    def open(self, page):
        self.browser.get(f"http://127.0.0.1:{self.server.server_port}/{page}")
        if page.startswith("search.html?"):
            self.wait_for(SEARCH_IS_OVER)

    def results(self, word):
        self.open("search.html?q=" + quote_plus(word))
        return self.script("""return [...document.querySelectorAll("ul.search li a")].map(a => {
            const url = new URL(a.href);
            return url.pathname.slice(1) + url.hash;
        });""")

    def test_words_that_people_type_lead_to_their_pages(self):
        for word, wanted in WORDS.items():
            with self.subTest(word):
                found = self.results(word)[:3]
                self.assertTrue(any(re.fullmatch(f"{re.escape(wanted)}(#.*)?", each) for each in found), found)

    def test_result_in_page_is_named_after_section(self):
        self.open("search.html?q=rate+limit")
        self.assertIn("Recipes > Limit concurrency", self.texts("ul.search li a")[:3])

    def test_each_public_name_is_in_search_index(self):
        names = {name for header in (ROOT / "include").glob("**/*.hpp") if "detail" not in header.parts
                 for name in top_level_names(header.read_text("utf-8"))}
        self.assertGreater(len(names), 150)
        self.open("search.html?q=timeout")
        missing = self.script("""
            const {terms, titleterms, alltitles} = Search._index;
            const stemmer = new Stemmer();
            return arguments[0].filter(name => {
                const stem = stemmer.stemWord(name.toLowerCase());
                return !(name in alltitles || stem in terms || stem in titleterms);
            });""", sorted(names))
        self.assertEqual(missing, [])

    def test_narrow_pages_do_not_scroll_sideways(self):
        self.resize(390, 844)
        for page in KINDS:
            with self.subTest(page):
                self.open(page)
                self.assertEqual(self.script("return document.documentElement.scrollWidth"), 390)
                self.assertEqual(self.script(CUT_OFF), [])

    def test_text_has_contrast_in_both_themes(self):
        for dark in (False, True):
            self.resize(1600, 1000, dark)
            for page in KINDS:
                with self.subTest(page, dark=dark):
                    self.open(page)
                    self.assertEqual(self.script(WEAK_CONTRASTS), [])

    def test_theme_is_that_of_system_until_one_is_chosen(self):
        def is_dark():
            return self.script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"

        for dark in (False, True):
            self.resize(1600, 1000, dark)
            self.open("index.html")
            self.assertEqual(is_dark(), dark)
            self.find(".theme-toggle-content button").click()
            self.assertEqual(is_dark(), not dark)
            self.open("guide/queues.html")
            self.assertEqual(is_dark(), not dark)
            self.script("localStorage.clear()")

    def test_click_copies_program_as_it_is(self):
        self.open("tutorial/1_first_queue.html")
        self.script("document.addEventListener('copy', event => { window.copied = event.target.value; })")
        block = self.find("div.highlight-cpp")
        button = block.find_element(browser.By.CSS_SELECTOR, "button.copybtn")
        browser.webdriver.ActionChains(self.browser).move_to_element(block).click(button).perform()
        self.wait_for("return window.copied")
        self.assertEqual(self.script("return window.copied").rstrip("\n"), block.text.rstrip("\n"))

    def test_pages_opened_as_files_have_their_scripts_and_search(self):
        self.browser.get((SITE / "reference/queue/fifo_queue.html").as_uri())
        self.assertEqual(self.script("return document.documentElement.classList.contains('no-js')"), False)
        self.browser.get((SITE / "search.html").as_uri() + "?q=fifo_queue")
        self.wait_for(SEARCH_IS_OVER)
        self.assertEqual(self.texts("ul.search li a")[0], "Reference > fifo_queue")


class SiteFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {path.relative_to(SITE).as_posix(): path.read_text("utf-8") for path in SITE.glob("**/*.html")}

    def test_each_link_leads_somewhere(self):
        places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in self.pages.items()}
        dead = set()
        for page, text in self.pages.items():
            for link in set(re.findall(r'\b(?:href|src)="([^"]*)"', text)):
                if re.match(r"[a-z]+:|//|$", link):
                    continue
                target, _, place = unquote(unescape(re.sub(r"\?[^#]*", "", link))).partition("#")
                file = (SITE / page).parent / target if target else SITE / page
                name = os.path.relpath(file, SITE)
                if not file.is_file() or name.startswith("..") or place and place not in places.get(name, {place}):
                    dead.add(f"{page}: {link}")
        self.assertEqual(sorted(dead), [])

    def test_each_page_has_its_place_at_the_side(self):
        for page in self.pages.keys() - {"index.html", "search.html"}:
            self.assertTrue('class="sidebar-brand"' in self.pages[page], page)
            self.assertTrue(re.search('class="[^"]*current-page', self.pages[page]), page)

    def test_classes_link_to_their_explanation_and_back(self):
        classes = [page for page in self.pages if re.fullmatch(r"reference/\w+/(?!index)\w+\.html", page)]
        self.assertGreater(len(classes), 90)
        for page in classes:
            self.assertTrue(re.search(r'Explained in <a [^>]*href="\.\./\.\./\w', self.pages[page]), page)
        explained = ("queue/fifo_queue", "queue/select", "coordination/coordinator", "coordination/with_tasks",
                     "runner/queue_runner", "redis/redis_queue", "monitor/monitor", "task/retry")
        guide = "".join(text for page, text in self.pages.items() if page.startswith("guide/"))
        for name in explained:
            self.assertTrue(f'href="../reference/{name}.html' in guide, name)

    def test_alias_has_all_members_of_its_class(self):
        def members(page):
            return set(re.findall(r'href="(?:basic_queue\.html)?#([a-z-]+)"[^>]*><(?:code|span)', self.pages[page]))

        self.assertGreater(len(members("reference/queue/fifo_queue.html")), 30)
        self.assertLessEqual({"enqueue", "dequeue-up-to", "close"}, members("reference/queue/fifo_queue.html"))

    def test_no_page_shows_marks(self):
        marks = re.compile(r"\]\(|\{#|```|@(?:par|param|return|li)\b|<!--")
        for page, text in self.pages.items():
            shown = re.sub(r"<(pre|code|script|style)\b.*?</\1>|<[^>]*>", "", text, flags=re.DOTALL)
            self.assertEqual(marks.findall(shown), [], page)


# What no page is about: private namespaces, those of others, comments, directives.
UNSEEN = re.compile(
    r"^namespace detail \{.*?^\}  // namespace detail|^namespace (?!sluice).*?^\}|/\*.*?\*/"
    r"|^/// @cond.*?^/// @endcond|//[^\n]*|^#[^\n]*", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum class|concept|using) (?:\[\[\w+\]\] )?(\w+)(?= *[:;={\n])", re.MULTILINE)
FUNCTION = re.compile(
    r"^(?:\[\[nodiscard\]\] )?(?!return|using|static_assert|requires|friend)\w[\w:<>,&* ]*? (\w+)\(", re.MULTILINE)


def top_level_names(header):
    """What a formatted header declares in a namespace that is not private."""
    text = UNSEEN.sub("", header)
    return {*TYPE.findall(text), *FUNCTION.findall(text)}


if __name__ == "__main__":
    browser.main("__main__")
