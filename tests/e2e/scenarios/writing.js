// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody writes in the web client arrives as they meant it, once, and is never lost on the way.
import assert from 'node:assert/strict';
import { until } from '../support/check.js';
import { close, compose, desk, openClient, phone, postOf, visit } from '../support/client.js';
import { get, person, post, status } from '../support/stage.js';
import { pngFile } from '../support/png.js';

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];
const dialog = (page) => page.getByRole('dialog');
const send = async (page) => {
  await dialog(page).getByRole('button', { name: 'Post', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
};
const picture = async () => ({ name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from(await pngFile(120, 80).arrayBuffer()) });
const drafts = (page) => page.locator('main').getByRole('button', { name: 'Go on' });
// The file that sends is asked for before there is no net.
const withSheet = async (page) => {
  await page.getByRole('button', { name: 'New post' }).first().click();
  await compose(page).waitFor();
};
// Before anything has answered.
const twice = (button) => button.evaluate((one) => (one.click(), one.click()));

export default {
  'a post that is deleted to be written anew keeps all it had, also when the dialog is closed': async () => {
    const [ann, bob] = [await person('wr_ann'), await person('wr_bob')];
    const above = await post(bob, 'Where was it?');
    const media = await ann.api.v2.media.create({ file: pngFile(120, 80), description: 'A sea wall' });
    const old = await post(ann, '@wr_bob at the wall', { inReplyToId: above.id, mediaIds: [media.id], spoilerText: 'wind', visibility: 'unlisted', language: 'nl' });
    const page = await openClient(ann);
    await visit(page, `/@wr_ann/${old.id}`);
    await postOf(page, 'wind').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete and write anew' }).click();
    await dialog(page).getByRole('button', { name: 'Delete and write anew' }).click();
    await dialog(page).getByLabel(/^Describe/).waitFor();
    await until('the post is deleted', async () => (await get(`/api/v1/statuses/${old.id}`, ann.token)).status === 404);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await visit(page, '/drafts');
    await drafts(page).click();
    assert.equal(await dialog(page).getByLabel(/^Describe/).inputValue(), 'A sea wall');
    await send(page);
    const anew = await newest(ann);
    assert.notEqual(anew.id, old.id);
    assert.deepEqual(
      [anew.inReplyToId, anew.spoilerText, anew.visibility, anew.language, anew.mediaAttachments[0].description, /at the wall/.test(anew.content)],
      [above.id, 'wind', 'unlisted', 'nl', 'A sea wall', true],
    );
    await drafts(page).waitFor({ state: 'detached' }); // without a reload
    await close(page);
  },

  'a description counts while it is being typed, and an edit without a change leaves no draft': async () => {
    const cleo = await person('wr_cleo');
    const page = await openClient(cleo);
    await withSheet(page);
    await compose(page).fill('Low tide');
    await dialog(page).locator('input[type=file]').setInputFiles(await picture());
    await dialog(page).getByLabel(/^Describe/).fill('Mud as far as one sees');
    await compose(page).press('Control+Enter');
    await dialog(page).waitFor({ state: 'detached' });
    const written = await newest(cleo);
    assert.equal(written.mediaAttachments[0].description, 'Mud as far as one sees');
    await visit(page, `/@wr_cleo/${written.id}`);
    await postOf(page, 'Low tide').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await dialog(page).getByLabel(/^Describe/).waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await visit(page, '/drafts');
    await page.getByText('No drafts').waitFor();
    await close(page);
  },

  'a letter is never begun as an unfinished post for everybody': async () => {
    const dora = await person('wr_dora');
    const page = await openClient(dora);
    await withSheet(page);
    await compose(page).fill('For everybody, not finished');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await visit(page, '/conversations');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await compose(page).waitFor();
    await page.waitForTimeout(300);
    assert.equal(await compose(page).inputValue(), '');
    assert.equal(await dialog(page).getByRole('combobox', { name: 'Who will see this' }).inputValue(), 'direct');
    await close(page);
  },

  'what is refused is said over the dialog, and an answer to a post that is gone goes out by itself': async () => {
    const [lou, max] = [await person('wr_lou'), await person('wr_max')];
    const above = await post(max, 'Soon gone');
    const page = await openClient(lou, { viewport: phone });
    await visit(page, `/@wr_max/${above.id}`);
    await postOf(page, 'Soon gone').getByRole('button', { name: /^Reply/ }).click();
    await compose(page).fill('A long answer');
    await status(max, above.id).remove();
    await dialog(page).getByRole('button', { name: 'Post', exact: true }).click();
    const said = dialog(page).getByRole('status').locator('.bad');
    await said.waitFor();
    assert.equal(await page.locator('.toast').count(), 1);
    await said.getByRole('button', { name: 'Close' }).click(); // which fails where something lies over it
    await said.waitFor({ state: 'detached' });
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await send(page);
    await page.getByRole('status').getByText('Posted', { exact: true }).waitFor();
    const written = await newest(lou);
    assert.deepEqual([written.content, written.inReplyToId], ['<p>A long answer</p>', null]);
    await close(page);
  },

  'Enter belongs to the input method while it composes a word': async () => {
    const nia = await person('wr_nia');
    const page = await openClient(nia);
    await withSheet(page);
    await compose(page).pressSequentially('Look @wr_ni');
    await dialog(page).locator('li[role=option]').first().waitFor();
    const enter = (more) => compose(page).evaluate((field, init) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init })), more);
    for (const more of [{ isComposing: true }, { keyCode: 229 }]) assert.equal(await enter(more), true, JSON.stringify(more));
    assert.equal(await compose(page).inputValue(), 'Look @wr_ni');
    assert.equal(await enter({}), false);
    await until('the name is whole', async () => (await compose(page).inputValue()) === 'Look @wr_nia ');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const field = dialog(page).getByRole('combobox');
    await field.waitFor();
    await field.evaluate((one) => one.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
    await page.waitForTimeout(300);
    assert.equal(await field.count(), 1);
    await close(page);
  },

  'two tabs write two posts': async () => {
    const pam = await person('wr_pam');
    const page = await openClient(pam);
    const other = await page.context().newPage();
    await visit(other, '/home');
    await withSheet(page);
    await compose(page).fill('From the first tab');
    await page.waitForTimeout(900); // until it is kept
    await withSheet(other);
    await other.waitForTimeout(500);
    assert.equal(await compose(other).inputValue(), '');
    await compose(other).fill('From the second tab');
    await send(other);
    assert.equal(await compose(page).inputValue(), 'From the first tab');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForTimeout(900); // until it is kept and let go
    // Whoever has closed it lets the other tab go on with it.
    await visit(other, '/drafts');
    await drafts(other).click();
    await until('the draft is there', async () => (await compose(other).inputValue()) === 'From the first tab');
    await send(other);
    assert.deepEqual((await pam.account.statuses.list({ limit: 5 })).map((one) => one.content), ['<p>From the first tab</p>', '<p>From the second tab</p>']);
    await close(page);
  },

  'more pictures than a post holds are said to be left out, and one that is dropped beside the text is taken': async () => {
    const rae = await person('wr_rae');
    const page = await openClient(rae);
    await withSheet(page);
    const one = await picture();
    await dialog(page).locator('input[type=file]').setInputFiles([1, 2, 3, 4, 5, 6].map((n) => ({ ...one, name: `${n}.png` })));
    await dialog(page).getByRole('status').getByText('A post has room for 4 files: the rest was left out.').waitFor();
    const attached = dialog(page).getByLabel(/^Describe/);
    await until('four are there', async () => (await attached.count()) === 4);
    await until('all are uploaded', async () => (await dialog(page).getByText(/^Uploading/).count()) === 0);
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).first().click();
    await until('one is gone', async () => (await attached.count()) === 3);
    const taken = await dialog(page).locator('form footer').evaluate((foot, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }));
      return ['dragover', 'drop'].map((type) => foot.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer })));
    }, [...one.buffer]);
    assert.deepEqual(taken, [false, false]);
    await until('it is there', async () => (await attached.count()) === 4);
    await close(page);
  },

  'what is sent without a net is no draft any more, and is there once': async () => {
    const eve = await person('wr_eve');
    const page = await openClient(eve);
    await visit(page, '/drafts');
    await withSheet(page);
    await compose(page).fill('from the train');
    await page.context().setOffline(true);
    await send(page);
    await page.getByText(/your post is kept/).waitFor();
    await page.getByText('No drafts').waitFor();
    await page.context().setOffline(false);
    await until('the post is there', async () => (await newest(eve))?.content === '<p>from the train</p>');
    await visit(page, '/drafts');
    await page.getByText('No drafts').waitFor();
    assert.equal((await eve.account.statuses.list({ limit: 5 })).length, 1);
    await close(page);
  },

  'an end stays where it is when a filter is renamed or the text of a poll is mended': async () => {
    const fay = await person('wr_fay');
    const filter = await fay.api.v2.filters.create({ title: 'Films', context: ['home'], filterAction: 'hide', expiresIn: 604_800, keywordsAttributes: [{ keyword: 'the boat', wholeWord: true }] });
    const asked = await post(fay, 'Whihc one?', { poll: { options: ['Knots', 'Curlews'], expiresIn: 604_800 } });
    const page = await openClient(fay);
    await visit(page, `/filters/${filter.id}`);
    await page.getByLabel('Name', { exact: true }).fill('Movies');
    await twice(page.getByRole('button', { name: 'Save' }));
    await page.waitForURL('**/filters');
    const renamed = await fay.api.v2.filters.$select(filter.id).fetch();
    assert.deepEqual([renamed.title, renamed.expiresAt], ['Movies', filter.expiresAt]);
    await visit(page, '/filters/new');
    await page.getByRole('textbox', { name: 'Word 1' }).fill('waders');
    await twice(page.getByRole('button', { name: 'Save' }));
    await page.waitForURL('**/filters');
    assert.equal((await fay.api.v2.filters.list()).length, 2);

    await visit(page, `/@wr_fay/${asked.id}`);
    await postOf(page, 'Whihc').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await until('the text is there', async () => /Whihc/.test(await compose(page).inputValue()));
    await compose(page).fill('Which one?');
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const mended = await fay.api.v1.statuses.$select(asked.id).fetch();
    assert.match(mended.content, /Which/);
    assert.ok(Math.abs(Date.parse(mended.poll.expiresAt) - Date.parse(asked.poll.expiresAt)) < 5000, mended.poll.expiresAt);
    await close(page);
  },

  'a word that is emptied leaves its filter': async () => {
    const lea = await person('wr_lea');
    const filter = await lea.api.v2.filters.create({ title: 'Words', context: ['home'], filterAction: 'warn', keywordsAttributes: [{ keyword: 'boat', wholeWord: true }, { keyword: 'oar', wholeWord: true }] });
    const page = await openClient(lea);
    await visit(page, `/filters/${filter.id}`);
    await page.getByRole('textbox', { name: 'Word 2' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/filters');
    assert.deepEqual((await lea.api.v2.filters.$select(filter.id).fetch()).keywords.map((one) => one.keyword), ['boat']);
    await close(page);
  },

  'two clicks make one list and one collection': async () => {
    const gus = await person('wr_gus');
    const page = await openClient(gus);
    await visit(page, '/lists');
    await page.getByRole('textbox', { name: 'New list' }).fill('Birds');
    await twice(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('link', { name: 'Birds' }).waitFor();
    assert.equal((await gus.api.v1.lists.list()).length, 1);
    await visit(page, '/collections');
    await page.getByRole('textbox', { name: 'New collection' }).fill('Counters');
    await twice(page.getByRole('button', { name: 'Create' }));
    await page.waitForURL(/\/collections\/\d+$/);
    assert.equal((await (await get(`/api/v1/accounts/${gus.id}/collections`, gus.token)).json()).collections.length, 1);
    await close(page);
  },

  'a search shows each post once, and no button behind the last': async () => {
    const hal = await person('wr_hal');
    for (let n = 0; n < 25; ++n) await post(hal, `godwit number ${n}`);
    const page = await openClient(hal);
    await visit(page, '/search?q=godwit&type=statuses');
    const posts = page.locator('main article[data-status]');
    await until('the first page is there', async () => (await posts.count()) === 20);
    await twice(page.getByRole('button', { name: 'Show more' }));
    await until('all are there', async () => (await posts.count()) === 25);
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
    await close(page);
  },

  'what is typed for the profile stays while something else of it is saved': async () => {
    const ida = await person('wr_ida');
    const page = await openClient(ida);
    await visit(page, '/settings/profile');
    await page.getByLabel('About you').fill('Half a sentence');
    await page.getByLabel(/^I would like to be found/).check();
    await until('it is saved', async () => (await ida.api.v1.accounts.verifyCredentials()).discoverable);
    await page.getByText('Saved').first().waitFor();
    assert.equal(await page.getByLabel('About you').inputValue(), 'Half a sentence');
    await page.getByLabel('Name', { exact: true }).fill('Ida of the Marsh');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('nav .me-button').getByText('Ida of the Marsh').waitFor();
    assert.match((await ida.api.v1.accounts.verifyCredentials()).note, /Half a sentence/);
    await close(page);
  },

  'a dialog stays open under a click on its scrollbar, and a report asks before it loses its text': async () => {
    const [jo, kai] = [await person('wr_jo'), await person('wr_kai')];
    const bad = await post(kai, 'Something to report');
    const page = await openClient(jo, { viewport: { ...desk, height: 600 } });
    await withSheet(page);
    await dialog(page).getByRole('button', { name: 'More options' }).click();
    const pressed = (x, y) => page.evaluate(([dx, dy]) => {
      const box = document.querySelector('dialog').getBoundingClientRect();
      document.querySelector('dialog').dispatchEvent(new MouseEvent('mousedown', { bubbles: true, clientX: box.right + dx, clientY: box.top + dy }));
    }, [x, y]);
    await pressed(-4, 200); // where its scrollbar is
    await page.waitForTimeout(200);
    assert.equal(await dialog(page).count(), 1);
    await pressed(40, 200);
    await dialog(page).waitFor({ state: 'detached' });

    await page.setViewportSize(desk);
    await visit(page, `/@wr_kai/${bad.id}`);
    await postOf(page, 'Something to report').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Report/ }).click();
    await dialog(page).getByRole('radio').first().waitFor();
    await dialog(page).getByRole('radio', { name: /spam/i }).check();
    const focused = () => page.evaluate(() => document.activeElement?.closest('dialog form') && document.activeElement.tagName);
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await dialog(page).getByRole('checkbox').first().waitFor();
    assert.equal(await focused(), 'INPUT');
    await page.waitForTimeout(400); // longer than a double click takes
    await dialog(page).getByRole('button', { name: 'Next' }).dblclick();
    const words = dialog(page).getByRole('textbox');
    await words.waitFor();
    await words.fill('It is the same link again and again.');
    await page.waitForTimeout(400);
    await page.mouse.click(10, 300);
    await page.getByRole('heading', { name: 'Discard what you have written?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await words.inputValue(), 'It is the same link again and again.');
    await dialog(page).getByRole('button', { name: 'Send report' }).dblclick();
    await dialog(page).getByRole('button', { name: 'Done' }).waitFor();
    await page.waitForTimeout(400);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal((await jo.api.v1.accounts.relationships.fetch({ id: [kai.id] }))[0].muting, false);
    await close(page);
  },
};
