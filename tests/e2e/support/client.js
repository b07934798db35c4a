// SPDX-License-Identifier: AGPL-3.0-or-later
// The web client of the server in a browser of its own. Whatever breaks a policy or throws fails the scenario (all.js).
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { signIn } from './browser.js';
import { until } from './check.js';
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

// A push message as the browser's maker would bring it, shown by the worker of the page. Brought again while nothing is
// shown: on a busy machine a worker that is being started may miss it, and one of the same tag is shown once.
export async function pushed(page, push) {
  await page.context().grantPermissions(['notifications'], { origin: server.url });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const devtools = await page.context().newCDPSession(page);
  const known = new Map();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations.forEach((one) => known.set(one.registrationId, one)));
  await devtools.send('ServiceWorker.enable');
  await until('the message is shown', async () => {
    const here = [...known.values()].find((one) => !one.isDeleted && one.scopeURL === `${server.url}/`);
    if (!here) return false;
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId: here.registrationId, data: JSON.stringify(push) });
    await page.waitForTimeout(500);
    return (await shownBy(page)).length === 1;
  });
}
export const shownBy = (page) => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => [one.title, one.body]));

export async function clickShown(page) {
  const [worker] = page.context().serviceWorkers();
  await worker.evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  });
}
