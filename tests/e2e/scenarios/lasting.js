// SPDX-License-Identifier: AGPL-3.0-or-later
// What lasts in the web client while the server, its version or the net does not, and what reaches a page that nobody looks at.
import assert from 'node:assert/strict';
import { until } from '../support/check.js';
import { clickShown, close, compose, openClient, phone, postOf, pushed, shownBy, visit } from '../support/client.js';
import { account, person, post, server } from '../support/stage.js';

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];

export default {
  'a server that is killed while somebody writes costs no word, and what they send meanwhile goes out once': async () => {
    const kim = await person('last_kim');
    await post(kim, 'before the crash');
    const page = await openClient(kim);
    await page.getByRole('button', { name: 'New post' }).first().click();
    await compose(page).fill('Half a sentence');
    await server.crash();
    await page.keyboard.type(' and the rest');
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText(/connection|offline|sent as soon/i).first().waitFor();
    await server.begin();
    await page.reload();
    await page.locator('main h1').waitFor();
    await until('it is written', async () => (await newest(kim)).content === '<p>Half a sentence and the rest</p>');
    const all = await kim.account.statuses.list({ limit: 10 });
    assert.deepEqual(all.map((one) => one.content), ['<p>Half a sentence and the rest</p>', '<p>before the crash</p>']);
    await close(page);
  },

  'a tab of before an upgrade says so where it lacks a file, and keeps what was written': async () => {
    const uma = await person('last_uma');
    const page = await openClient(uma);
    await page.getByRole('button', { name: 'New post' }).first().click();
    await compose(page).fill('Written under the old version');
    await page.keyboard.press('Escape');
    await page.context().route(/\/web\/[0-9a-f]{12}\/(ListsPage|more)/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: 'Lists' }).first().click();
    const again = page.getByRole('alert').getByRole('button');
    await again.waitFor();
    await page.context().unrouteAll();
    await again.click();
    await page.waitForURL(`${server.url}/lists`);
    await page.getByRole('heading', { name: 'Lists' }).waitFor();
    await page.getByRole('button', { name: 'New post' }).first().click();
    await until('the text is there', async () => (await compose(page).inputValue()) === 'Written under the old version');
    await close(page);
  },

  'a push message is shown, and leads to the post it is about': async () => {
    const [pia, quin] = [await person('last_pia'), await person('last_quin')];
    const said = await post(quin, '@last_pia look at the mudflats');
    const notice = await until('she is told', async () => (await pia.api.v1.notifications.list({ limit: 5 })).find((one) => one.type === 'mention'));
    const page = await openClient(pia, { worker: true });
    const push = { notification_id: notice.id, notification_type: 'mention', title: 'last_quin wrote to you', body: 'look at the mudflats', preferred_locale: 'en' };
    await pushed(page, push);
    assert.deepEqual(await shownBy(page), [[push.title, push.body]]);
    await clickShown(page);
    await page.waitForURL(`${server.url}/@last_quin/${said.id}`);
    await postOf(page, 'look at the mudflats').waitFor();
    assert.equal((await shownBy(page)).length, 0, 'it is gone when it was clicked');
    await close(page);
  },

  'a conversation is read in one place, by those who are named, and answered to all of them': async () => {
    const [ria, sol, tom] = [await person('last_ria'), await person('last_sol'), await person('last_tom')];
    await account(ria, sol).follow();
    const first = await post(sol, '@last_ria @last_tom where do we meet?', { visibility: 'direct' });
    await post(tom, '@last_sol @last_ria at the sluice', { visibility: 'direct', inReplyToId: first.id });
    const page = await openClient(ria, { viewport: phone });
    await visit(page, '/conversations');
    await page.locator('main article a').first().click();
    await page.getByText('where do we meet?').waitFor();
    await page.getByText('at the sluice').waitFor();
    assert.match(await page.locator('main .note').textContent(), /last_(sol|tom).*last_(sol|tom) and you read this/);
    assert.equal((await ria.api.v1.conversations.list()).every((one) => !one.unread), true);
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
    await compose(page).waitFor();
    await compose(page).press('End');
    await page.keyboard.type('I bring bread');
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const letter = await newest(ria);
    assert.equal(letter.visibility, 'direct');
    assert.deepEqual(letter.mentions.map((one) => one.acct).sort(), ['last_sol', 'last_tom']);
    await page.locator('main').getByText('I bring bread').waitFor();
    await close(page);
  },
};
