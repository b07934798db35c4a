// SPDX-License-Identifier: AGPL-3.0-or-later
// Members of the team at their pages, without JavaScript, and by keyboard alone where that is what is tried.
import assert from 'node:assert/strict';
import { freshPage, signIn } from './browser.js';
import { browser, password, person, server } from './stage.js';

export const hub = `${server.url}/settings/moderation`;
const at = (page) => new URL(page.url()).pathname;

export async function moderator(name) {
  const who = await person(name);
  await server.command('account', 'modify', name, '--role', 'admin');
  return who;
}

export async function signedIn(name, viewport) {
  const page = await freshPage(browser);
  if (viewport) await page.setViewportSize(viewport);
  await page.goto(`${server.url}/auth/sign_in?return_to=/settings/moderation`);
  await signIn(page, `${name}@example.org`, password);
  assert.equal(at(page), '/settings/moderation');
  return page;
}

// Tab until this has the focus, as who has no mouse does.
export async function tabTo(page, what) {
  for (let steps = 0; steps < 200; ++steps) {
    if (await page.locator(what).first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the keyboard does not reach ${what}`);
}
export const press = async (page, what) => {
  await tabTo(page, what);
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
};

// What the team does by the API meanwhile.
export const asStaff = async () => (await server.command('token', 'create', 'landlord', '--scopes', 'read write admin:read admin:write')).trim();
export async function api(token, method, path, body) {
  const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  assert.equal(answer.status, 200, `${method} ${path}`);
  return answer.json();
}
