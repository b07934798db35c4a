// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer a post, as its author says it in the web client, and what becomes of answers that wait.
import assert from 'node:assert/strict';
import { screenshot } from '../support/browser.js';
import { until } from '../support/check.js';
import { accessible, close, compose, openClient, phone, postOf, visit } from '../support/client.js';
import { get, person, post, server, status } from '../support/stage.js';

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];
const raw = async (who, id) => (await get(`/api/v1/statuses/${id}`, who.token)).json();
const thread = async (who, id) => (await status(who, id).context.fetch()).descendants.map((one) => one.id);
const put = (who, path, body) => fetch(server.url + path, { method: 'PUT', headers: { Authorization: `Bearer ${who.token}`, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const policyOf = (who, id, reply_policy) => put(who, `/api/v1/statuses/${id}/interaction_policy`, { reply_policy });
const address = (who, one) => `/@${who.name}/${one.id}`;

export default {
  'an author says in the compose box who may answer, and who reads is told so before writing': async () => {
    const [ann, ben] = [await person('ans_ann'), await person('ans_ben')];
    const hers = await openClient(ann);
    await hers.getByRole('button', { name: 'New post' }).first().click();
    await compose(hers).fill('Only for those I name');
    const sheet = hers.getByRole('dialog');
    await sheet.getByRole('button', { name: 'More options' }).click();
    await sheet.getByLabel('Who may reply').selectOption({ label: 'Named people' });
    await sheet.getByText('Replies of others wait until you accept them').waitFor();
    await accessible(hers, 'the options of the compose box');
    await sheet.getByRole('button', { name: 'Post', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    const written = await newest(ann);
    assert.equal((await raw(ann, written.id)).reply_policy, 'mentioned');

    const his = await openClient(ben, { viewport: phone });
    await visit(his, address(ann, written));
    await his.getByText('Named people may reply. Replies of others wait for ans_ann.').waitFor();
    await his.getByRole('button', { name: /^Reply/ }).first().click();
    await his.getByRole('dialog').getByText('Named people may reply.').waitFor();
    await until('the mention is there', async () => (await compose(his).inputValue()) === '@ans_ann ');
    await compose(his).press('End');
    await his.keyboard.type('may I?');
    await his.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
    await his.getByRole('dialog').waitFor({ state: 'detached' });
    const answer = await newest(ben);
    assert.equal((await raw(ben, answer.id)).reply_state, 'pending');
    await visit(his, address(ben, answer));
    await his.getByText('This reply waits for the author’s approval.').waitFor();
    await accessible(his, 'an answer that waits');

    // Later she lets nobody answer.
    await visit(hers, address(ann, written));
    await postOf(hers, 'Only for those I name').getByRole('button', { name: 'More actions' }).click();
    await hers.getByRole('menuitem', { name: 'Who may reply and quote' }).click();
    await accessible(hers, 'who may reply and quote');
    await hers.getByRole('dialog').getByLabel('Who may reply', { exact: true }).selectOption({ label: 'Nobody else' });
    await hers.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await hers.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await raw(ann, written.id)).reply_policy, 'nobody');
    await visit(his, address(ann, written));
    await his.getByText('Only named people may reply.').waitFor();
    assert.equal(await postOf(his, 'Only for those I name').getByRole('button', { name: /^Reply/ }).isDisabled(), true);
    await close(hers);
    await close(his);
  },

  'what somebody usually lets happen is said once, in the settings': async () => {
    const cam = await person('ans_cam');
    const page = await openClient(cam);
    await visit(page, '/settings/posting');
    await page.getByRole('group', { name: 'Who may usually reply to you' }).getByText('Followers').click();
    await page.getByText('Saved').waitFor();
    assert.equal((await (await get('/api/v1/accounts/verify_credentials', cam.token)).json()).source.reply_policy, 'followers');
    await page.getByRole('button', { name: 'New post' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'More options' }).click();
    assert.equal(await page.getByRole('dialog').getByLabel('Who may reply').inputValue(), 'followers');
    await close(page);
  },

  'answers that wait are accepted, declined, hidden and shown again where they stand': async () => {
    const [dot, eli, fay] = [await person('ans_dot'), await person('ans_eli'), await person('ans_fay')];
    const first = await post(dot, 'Ask me before you answer');
    assert.equal((await policyOf(dot, first.id, 'mentioned')).status, 200);
    const good = await post(eli, '@ans_dot a good question', { inReplyToId: first.id });
    const bad = await post(eli, '@ans_dot a rude one', { inReplyToId: first.id });
    assert.deepEqual(await thread(fay, first.id), []);

    const page = await openClient(dot);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Waiting replies' }).click();
    await page.waitForURL('**/waiting-replies');
    await postOf(page, 'a rude one').waitFor();
    await accessible(page, 'waiting replies');
    await screenshot(page, 'waiting-replies');
    await postOf(page, 'a good question').getByRole('button', { name: 'Accept' }).click();
    await postOf(page, 'a good question').waitFor({ state: 'detached' });
    assert.deepEqual(await thread(fay, first.id), [good.id]);

    await visit(page, address(dot, first));
    await postOf(page, 'a rude one').getByText('This reply waits for you.').waitFor();
    await screenshot(page, 'thread-waiting');
    await postOf(page, 'a rude one').getByRole('button', { name: 'Decline' }).click();
    await postOf(page, 'a rude one').waitFor({ state: 'detached' });
    assert.equal((await raw(eli, bad.id)).in_reply_to_id, null, 'it stays with who wrote it');
    assert.deepEqual(await thread(dot, first.id), [good.id]);

    await postOf(page, 'a good question').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Hide from the thread' }).click();
    await postOf(page, 'a good question').getByText('Hidden from the thread').waitFor();
    assert.deepEqual(await thread(fay, first.id), []);
    await postOf(page, 'a good question').getByRole('button', { name: 'Show in the thread again' }).click();
    await postOf(page, 'a good question').getByText('Hidden from the thread').waitFor({ state: 'detached' });
    assert.deepEqual(await thread(fay, first.id), [good.id]);
    await visit(page, '/waiting-replies');
    await page.getByText('No replies wait').waitFor();
    await close(page);
  },
};
