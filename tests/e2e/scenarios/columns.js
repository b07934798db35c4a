// SPDX-License-Identifier: AGPL-3.0-or-later
// Several timelines side by side in the web client.
import assert from 'node:assert/strict';
import { until } from '../support/check.js';
import { accessible, close, openClient, visit } from '../support/client.js';
import { account, person, post } from '../support/stage.js';

const wide = { width: 1600, height: 900 };
const column = (page, name) => page.getByRole('region', { name, exact: true });
const titles = (page) => page.locator('.column h2').allInnerTexts();

export default {
  'columns scroll by themselves, show what comes in, and are added, moved and removed for good': async () => {
    const [uli, vera] = [await person('col_uli'), await person('col_vera')];
    await account(uli, vera).follow();
    for (let n = 1; n <= 25; ++n) await post(vera, `Row ${n}. ${'Some words more. '.repeat(n % 4)}`);
    await uli.api.v1.lists.create({ title: 'Waders' });
    const page = await openClient(uli, { viewport: wide });
    const saved = [];
    page.on('requestfinished', (request) => request.url().endsWith('/api/web/settings') && saved.push(request.postData() ?? ''));
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Columns' }).click();
    await page.waitForURL('**/columns');
    await page.locator('.column').nth(2).waitFor();
    assert.deepEqual(await titles(page), ['Home', 'Notifications', 'This server']);
    await column(page, 'Home').getByText('Row 25.').waitFor();
    await accessible(page, 'columns');

    // One is read further down; the others and the page stay.
    const at = (name) => column(page, name).locator('[data-scrolls]').evaluate((one) => one.scrollTop);
    await column(page, 'This server').getByText('Row 25.').waitFor();
    await column(page, 'Home').locator('[data-scrolls]').hover();
    for (let n = 0; n < 8; ++n) await page.mouse.wheel(0, 300);
    await until('home is scrolled', async () => (await at('Home')) > 800);
    assert.equal(await at('This server'), 0);
    assert.equal(await page.evaluate(() => scrollY), 0);
    const before = await at('Home');
    await post(vera, `@${uli.name} look here`);
    await column(page, 'Home').getByRole('button', { name: /^1 new/ }).waitFor();
    await column(page, 'Notifications').getByText('look here').or(column(page, 'Notifications').getByRole('button', { name: /^1 new/ })).first().waitFor();
    assert.ok(Math.abs((await at('Home')) - before) <= 2, 'what arrives moves nothing');

    // By keyboard: 1 to 6 lead to a column, j and k walk through the one that has the focus.
    await page.keyboard.press('3');
    const focused = () => page.evaluate(() => document.activeElement.closest('section')?.querySelector('h2').innerText);
    await until('the third has the focus', async () => (await focused()) === 'This server');
    for (const key of ['j', 'j']) await page.keyboard.press(key);
    assert.equal(await focused(), 'This server');
    await until('it has moved', async () => (await at('This server')) > 0);

    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByRole('menuitem', { name: 'Waders' }).click();
    await column(page, 'Waders').waitFor();
    await page.getByRole('button', { name: 'Options of Waders' }).click();
    await page.getByRole('menuitem', { name: 'Move one place forward' }).click();
    await until('it has moved', async () => (await titles(page)).join() === 'Home,Notifications,Waders,This server');
    await page.getByRole('button', { name: 'Options of Notifications' }).click();
    await page.getByRole('menuitem', { name: 'Remove this column' }).click();
    await until('it is gone', async () => (await titles(page)).join() === 'Home,Waders,This server');
    await until('it is kept', async () => saved.some((body) => body.includes('"columns":["/home","/lists/')));
    const other = await openClient(uli, { viewport: { width: 412, height: 915 } });
    await visit(other, '/columns');
    await other.locator('.column').nth(2).waitFor();
    assert.deepEqual(await titles(other), ['Home', 'Waders', 'This server']);
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await accessible(other, 'columns on a phone');
    await close(other);
    await close(page);
  },
};
