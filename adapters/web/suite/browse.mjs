// Runs the pages of the suite in a browser, and returns what the browser made of each link.
//
// Not here: what the answers mean (expected.mjs), and the comparison with the record (main.mjs).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import puppeteer from 'puppeteer-core';

import { PROGRAMS } from '../tests/browser.mjs';

import { isSent } from './links.mjs';
import { document, ownDocument, pagesOf, probe } from './pages.mjs';
import { Server } from './server.mjs';

/**
 * How each browser is started, and how many pages it has open at once. No name is resolved, so nothing leaves the
 * machine. Firefox sends no ping by default; here it does.
 */
const browsers = {
  chromium: {
    title: 'Chromium',
    pages: 3,
    start: {
      browser: 'chrome',
      executablePath: PROGRAMS.chromium,
      args: [
        '--no-sandbox',
        '--host-resolver-rules=MAP * 127.0.0.1',
        '--disable-background-networking',
        '--no-proxy-server',
        '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
        '--disable-gpu',
        '--disable-component-update',
      ],
    },
  },
  firefox: {
    title: 'Firefox',
    pages: 3,
    start: {
      browser: 'firefox',
      executablePath: PROGRAMS.firefox,
      extraPrefsFirefox: {
        'network.dns.forceResolve': '127.0.0.1',
        'network.proxy.type': 0,
        'browser.send_pings': true,
        'dom.security.https_first': false,
        'dom.security.https_first_schemeless': false,
        'network.http.speculative-parallel-limit': 0,
      },
    },
  },
};

// Times in milliseconds: for a page, for a click, for the rest of a page, and for what is not expected to come.
const TIME = { page: 20_000, click: 5000, rest: 8000, never: 300 };

/**
 * Returns the version of a browser, the time in seconds, and what became of each link: a map from its identifier to
 * `{ requests }`, `{ href }` or `{ blocked }`. The browser is stopped after `limit` seconds. The server
 * forgets the link `lost`.
 */
export async function browse(name, links, { limit, lost }) {
  const pages = pagesOf(links);
  const byName = new Map(pages.map((page) => [page.name, page]));
  const byId = new Map(links.map((link) => [link.id, link]));
  const server = new Server((target, port) => {
    const [, kind, key] = /^\/(page|own)\/(.*)$/.exec(target) ?? [];
    if (kind === 'page' && byName.has(key)) return document(byName.get(key), port);
    if (kind === 'own' && byId.has(key)) return ownDocument(byId.get(key), port);
  }, lost);
  const profile = await mkdtemp(path.join(tmpdir(), 'iri-suite-'));
  const start = performance.now();
  const results = new Map();
  let browser;
  const kill = () => {
    try {
      process.kill(-browser.process().pid, 'SIGKILL');
    } catch {
      // The browser has ended.
    }
  };
  process.once('exit', kill);
  const timer = setTimeout(kill, limit * 1000);
  try {
    await server.start();
    const { title, start: options, pages: tabs } = browsers[name];
    browser = await puppeteer.launch({
      ...options,
      headless: true,
      userDataDir: profile,
      protocolTimeout: 60_000,
    });
    const version = await browser.version();
    const queue = [...pages];
    await Promise.all(
      Array.from({ length: tabs }, async () => {
        // A browser delays what a page in the background loads, so each page has its own window.
        const tab = await browser.newPage({ type: 'window' });
        for (let page = queue.shift(); page; page = queue.shift()) {
          await follow(tab, page, server, results);
        }
      }),
    );
    return {
      version: version.replace(/^.*\//, `${title} `),
      seconds: Math.round((performance.now() - start) / 1000),
      results,
    };
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
    if (browser) {
      await Promise.race([browser.close().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 5000))]);
      kill();
    }
    server.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Opens a page, and checks that the browser reads it as it was written. */
async function open(tab, page, server) {
  const host = page.name.replaceAll('_', '-');
  await tab.goto(`http://${host}.pages.test:${server.port}/page/${page.name}`, {
    waitUntil: 'domcontentloaded',
    timeout: TIME.page,
  });
  const text = await tab.evaluate(() => document.getElementById('probe')?.textContent);
  if (text !== probe(page.charset)) throw new Error(`${page.name} was read as ${text}`);
}

/** Follows the links of a page: the control, the clicks one after another, what the page reads, and what it loads. */
async function follow(tab, page, server, results) {
  await open(tab, page, server);
  const [control, ...rest] = page.links;
  const blocked = (link, reason) => results.set(link.id, { blocked: reason });

  for (const link of [control, ...rest].filter((one) => one.vehicle.how === 'click' && isSent(one))) {
    const state = await tab.evaluate(click, link.id);
    if (state === 'refused') blocked(link, 'refused');
    else if (state === 'missing') blocked(link, 'missing');
    else if (!(await server.seen(link.id, TIME.click))) {
      // Once more: a browser may drop a navigation while it is busy.
      await tab.evaluate(click, link.id);
      if (!(await server.seen(link.id, TIME.click))) blocked(link, 'lost');
    }
  }

  const read = page.links.filter((link) => !isSent(link));
  const values = await tab.evaluate(
    readAll,
    read.map(({ id, vehicle }) => [id, vehicle.read]),
  );
  read.forEach((link, at) =>
    results.set(
      link.id,
      values[at] === null ? { blocked: 'missing' } : { href: values[at].replaceAll(`:${server.port}/`, '/') },
    ),
  );

  const loaded = page.links.filter((link) => isSent(link) && link.vehicle.how !== 'click');
  for (const { id, vehicle } of loaded) if (vehicle.how === 'never') await tab.evaluate(click, id);
  const isNever = ({ vehicle }) => vehicle.how === 'never';
  const wait = async (list, time) => {
    const came = await Promise.all(list.map(({ id }) => server.seen(id, time)));
    return list.filter((_, at) => !came[at]);
  };
  for (const link of await wait(loaded.filter(isNever), TIME.never)) blocked(link, 'not followed');
  let missing = await wait(
    loaded.filter((link) => !isNever(link)),
    TIME.rest,
  );
  if (missing.length > 0) {
    // Once more: a browser that is busy delays frames and media, and a click can stop a load.
    await open(tab, page, server);
    missing = await wait(missing, TIME.rest);
  }
  for (const link of missing) blocked(link, 'lost');
  for (const link of page.links.filter(isSent)) {
    const requests = server.requests(link.id).map((one) => ({ ...one, host: one.host.replace(`:${server.port}`, '') }));
    if (requests.length > 0) results.set(link.id, { requests });
  }
}

// The two functions below run in the page.

/** Clicks the element of a link, unless the browser makes no URL of its reference. */
function click(id) {
  const element = document.querySelector(`[data-i="${id}"]`);
  if (!element) return 'missing';
  if (element.protocol === ':') return 'refused';
  if (element.requestSubmit) element.requestSubmit();
  else if (element.click) element.click();
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
  return 'clicked';
}

/** Returns the references that the browser made, for pairs of a link and a property. */
function readAll(pairs) {
  return pairs.map(([id, property]) => document.querySelector(`[data-i="${id}"]`)?.[property] ?? null);
}
