// SPDX-License-Identifier: AGPL-3.0-or-later
// The web client of the server in a browser of its own. Whatever breaks a policy or throws fails the scenario (all.js).
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { signIn } from './browser.js';
import { browser, password, server } from './stage.js';

export const phone = { width: 412, height: 915 };
export const desk = { width: 1280, height: 900 };

// Signed in as somebody, on /home.
export async function openClient(who, { viewport = desk, colorScheme = 'light', locale = 'en', path = '/home', worker = false, expected } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, locale, serviceWorkers: worker ? 'allow' : 'block', expected });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`${server.url}/auth/sign_in?return_to=${encodeURIComponent(path)}`);
  await signIn(page, `${who.name}@example.org`, password);
  await page.waitForURL(server.url + path);
  await page.locator('main h1').waitFor();
  return page;
}

export const close = (page) => page.context().close();

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// No violation of what axe knows.
export async function accessible(page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run(document, { runOnly });
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' | ')}`);
  }, tags);
  assert.deepEqual(found, [], what);
}

// Inside the page, as a click on a link goes there.
export async function visit(page, path) {
  await page.goto(server.url + path);
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
}

export const compose = (page) => page.getByRole('dialog').getByRole('textbox').first();
export const postOf = (page, text) => page.locator('article[data-status]', { hasText: text }).first();

export async function write(page, text) {
  await page.getByRole('button', { name: 'New post' }).first().click();
  await compose(page).fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
