// SPDX-License-Identifier: AGPL-3.0-or-later
// Headless Chromium, and the server's pages in it.
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const folder = process.env.SCREENSHOTS;

// What browsers said of broken policies and of errors of scripts since last asked, on whatever page.
const complaints = [];
export const takeComplaints = () => complaints.splice(0);

const aboutPolicy = /Content Security Policy|TrustedHTML|Trusted Type|a policy was broken/;

// Every page of a context. What is `expected`, of pages that are made to break policies, is kept in `heard` of the context.
async function watched(context, expected) {
  context.heard = [];
  const hear = (text, where) => (expected?.test(text) ? context.heard : complaints).push(`${text} (${where})`);
  context.on('weberror', (event) => hear(event.error().message, event.page()?.url()));
  context.on('console', (message) => aboutPolicy.test(message.text()) && hear(message.text(), message.page()?.url()));
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`a policy was broken: ${event.effectiveDirective} by ${event.blockedURI}`)),
  );
  return context;
}

export async function launch() {
  const browser = await start();
  const open = browser.newContext.bind(browser);
  browser.newContext = async ({ expected, ...options } = {}) => watched(await open(options), expected);
  return browser;
}

const start = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP *.test 127.0.0.1', // sites of others
    ],
  });

// A browser nobody has used, without JavaScript: the pages need none.
export async function freshPage(browser) {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 900, height: 700 } });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

export async function screenshot(page, name) {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export async function signIn(page, login, password) {
  await page.fill('input#user_email', login);
  await page.fill('input#user_password', password);
  await page.click('button[type=submit]');
}

export const allow = (page) => page.click('button[type=submit]:not(.negative)');
export const deny = (page) => page.click('button[type=submit].negative');

// The place an app is called back at; next() is the query of the next call.
export async function startCallback() {
  const waiting = [];
  const calls = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    response.end('<!doctype html><title>back in the app</title>');
    if (url.pathname !== '/back') return;
    const query = Object.fromEntries(url.searchParams);
    if (waiting.length) waiting.shift()(query);
    else calls.push(query);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref(); // a failed scenario does not close it
  return {
    url: `http://localhost:${server.address().port}/back`,
    next: () =>
      new Promise((resolve, reject) => {
        if (calls.length) return resolve(calls.shift());
        const timer = setTimeout(reject, 60_000, new Error('the app was not called back within 60 s'));
        waiting.push((query) => (clearTimeout(timer), resolve(query)));
      }),
    close: () => (server.closeAllConnections(), server.close()),
  };
}
