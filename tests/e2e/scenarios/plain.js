// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is signed in and has no JavaScript: chosen from the client's page, walked from home to a thread, an answer with a picture,
// what another is told of it, and left again. Every page is valid, small and without a script, and axe has nothing to say.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { accessible, desk, phone } from '../support/client.js';
import { valid } from '../support/html.js';
import { pngFile } from '../support/png.js';
import { account, browser, notifications, password, person, post, server, status } from '../support/stage.js';

const most = 20_000; // bytes of a page, gzipped
const picture = async (name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(await pngFile(240, 160).arrayBuffer()) });

async function signedIn(who) {
  const page = await freshPage(browser);
  await page.goto(`${server.url}/auth/sign_in?return_to=/home`);
  await signIn(page, `${who.name}@example.org`, password);
  await page.waitForURL(`${server.url}/home`);
  return page;
}

// In the pages without JavaScript, by the link that the client's page has for it. Where scripts are off by the devtools only, the
// browser shows no <noscript>: its address is read from the source.
async function inPlain(who) {
  const page = await signedIn(who);
  const [, link] = /<noscript>.*href="(\/plain[^"]*)"/s.exec(await page.content());
  await page.goto(server.url + link, { referer: page.url() });
  await page.waitForURL(`${server.url}/home`);
  return page;
}

async function sound(page, what) {
  const html = await page.content();
  valid(html, what);
  assert.doesNotMatch(html, /<script|\son[a-z]+="|javascript:/i, what);
  const size = gzipSync(html).length;
  assert.ok(size <= most, `${what} has ${size} bytes`);
}

const postOf = (page, text) => page.locator('article.post', { hasText: text }).first();
const press = async (page, where, name) => {
  await Promise.all([page.waitForNavigation(), where.getByRole('button', { name, exact: true }).click()]);
};
const open = async (page, link) => {
  await Promise.all([page.waitForNavigation(), link.click()]);
};
const text = (page) => page.textContent('main');

const scenarios = {
  'from home to a thread, an answer with a picture, and what another is told of it': async () => {
    const [ann, ben] = [await person('pla_ann'), await person('pla_ben')];
    await account(ann, ben).follow();
    const asked = await post(ben, 'Where do the herons stand?');
    await post(ben, `@pla_ben At the weir, I think.`, { inReplyToId: asked.id });
    const page = await inPlain(ann);
    assert.equal(await page.textContent('h1'), 'Home');
    await sound(page, 'home');

    await open(page, postOf(page, 'Where do the herons stand?').locator('footer a'));
    assert.match(page.url(), new RegExp(`/@pla_ben/${asked.id}$`));
    assert.match(await text(page), /At the weir/);
    await sound(page, 'a thread');
    await open(page, postOf(page, 'Where do the herons').getByRole('link', { name: 'Reply', exact: true }));
    assert.equal(await page.inputValue('#status'), '@pla_ben ');
    await sound(page, 'a reply');
    await page.fill('#status', '@pla_ben Here they stand.');
    await page.fill('#spoiler_text', 'A picture of a bird');
    await page.setInputFiles('#file', await picture('heron.png'));
    await page.fill('#description', 'A heron at the weir');
    await press(page, page, 'Attach');
    assert.equal(await page.inputValue('#status'), '@pla_ben Here they stand.', 'what was typed stays');
    assert.match(await page.textContent('.attached'), /A heron at the weir/);
    await sound(page, 'a reply with a picture');
    await screenshot(page, 'plain_reply');
    await press(page, page, 'Publish');
    assert.match(page.url(), new RegExp(`/@pla_ben/${asked.id}$`));
    const [answer] = await ann.account.statuses.list({ limit: 1 });
    assert.equal(answer.inReplyToId, asked.id);
    assert.equal(answer.spoilerText, 'A picture of a bird');
    assert.equal(answer.mediaAttachments[0].description, 'A heron at the weir');
    assert.equal(await page.locator(`#post-${answer.id}`).count(), 1);

    await press(page, postOf(page, 'Where do the herons'), 'Favourite');
    assert.match(page.url(), new RegExp(`/@pla_ben/${asked.id}#post-${asked.id}$`), 'back to the same place');
    assert.equal((await status(ann, asked.id).fetch()).favourited, true);
    assert.equal(await postOf(page, 'Where do the herons').getByRole('button', { name: 'Undo favourite' }).count(), 1);
    await press(page, postOf(page, 'Where do the herons'), 'Boost');
    await press(page, postOf(page, 'Where do the herons'), 'Bookmark');
    const seen = await status(ann, asked.id).fetch();
    assert.deepEqual([seen.reblogged, seen.bookmarked], [true, true]);

    const his = await inPlain(ben);
    await open(his, his.getByRole('navigation').getByRole('link', { name: 'Notifications' }));
    const told = await text(his);
    for (const what of ['Favourite of your post', 'Boost of your post', 'Mention', 'New follower']) assert.match(told, new RegExp(what));
    await sound(his, 'notifications');
    await open(his, his.locator('.told', { hasText: 'New follower' }).locator('p a'));
    assert.match(his.url(), /\/@pla_ann$/);
    await sound(his, 'a profile');
    await press(his, his, 'Follow');
    assert.match(await text(his), /You follow them/);
    assert.equal((await notifications(ann, 'follow')).length, 1);
    for (const [name, key, undo] of [['Mute', 'muting', 'Unmute'], ['Block', 'blocking', 'Unblock']]) {
      await press(his, his, name);
      assert.equal((await ben.api.v1.accounts.relationships.fetch({ id: [ann.id] }))[0][key], true);
      await press(his, his, undo);
    }

    await page.goto(`${server.url}/@pla_ann/${answer.id}`);
    const mine = page.locator(`#post-${answer.id}`);
    await mine.locator('details.acts summary').click();
    await press(page, mine, 'Delete it for good');
    assert.match(page.url(), /\/home$/);
    await assert.rejects(status(ann, answer.id).fetch());

    await open(page, page.getByRole('link', { name: 'With JavaScript' }));
    assert.match(await page.content(), /<noscript>/);
    await page.context().close();
    await his.context().close();
  },

  'what is wrong is said on top and beside the field, and going back loses nothing': async () => {
    const cat = await person('pla_cat');
    const page = await inPlain(cat);
    await page.goto(`${server.url}/compose`);
    await press(page, page, 'Publish');
    assert.match(await page.textContent('p[role=alert]'), /Text can’t be blank|Text can't be blank/);
    assert.equal(await page.getAttribute('#status', 'aria-invalid'), 'true');
    await sound(page, 'a refused post');
    await page.fill('#status', 'Which shoes?');
    await page.locator('summary', { hasText: 'Poll' }).click();
    await page.fill('#option_1', 'Boots');
    await page.fill('#option_2', 'None');
    await press(page, page, 'Publish');
    assert.match(page.url(), /\/home$/);
    const [poll] = await cat.account.statuses.list({ limit: 1 });
    assert.deepEqual(poll.poll.options.map((one) => one.title), ['Boots', 'None']);
    const voter = await person('pla_voter');
    const theirs = await inPlain(voter);
    await theirs.goto(`${server.url}/@pla_cat/${poll.id}`);
    await theirs.getByLabel('Boots').check();
    await press(theirs, theirs, 'Vote');
    assert.equal((await status(cat, poll.id).fetch()).poll.votesCount, 1);
    await theirs.goBack();
    assert.equal(theirs.url(), `${server.url}/@pla_cat/${poll.id}`);
    await page.goto(`${server.url}/compose`);
    await page.fill('#status', 'With a broken file');
    await page.setInputFiles('#file', { name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await press(page, page, 'Attach');
    assert.equal(await page.locator('#file_problem').count(), 1);
    assert.equal(await page.inputValue('#status'), 'With a broken file');
    await page.context().close();
    await theirs.context().close();
  },

  'long pages stay small, and older posts are a link away': async () => {
    const dan = await person('pla_dan');
    for (let i = 0; i < 25; ++i) await post(dan, `Walk number ${i}, along the dyke and back by the mill https://example.org/walks/${i}`);
    const page = await inPlain(dan);
    await sound(page, 'home');
    assert.match(await text(page), /Walk number 24,/);
    await open(page, page.getByRole('link', { name: 'Older posts' }));
    assert.match(await text(page), /Walk number 0,/);
    await page.goto(`${server.url}/@pla_dan`);
    await sound(page, 'a profile');
    await open(page, page.getByRole('link', { name: 'Older posts' }));
    assert.match(await text(page), /Walk number 0,/);
    await page.context().close();
  },
};

const scenes = [
  [phone, 'light', 'en'],
  [desk, 'dark', 'en'],
  [desk, 'light', 'de'],
  [phone, 'light', 'ar'],
];
const scenario = (viewport, colorScheme, locale) => async () => {
  const who = await person(`pla_axe_${viewport.width}_${colorScheme}_${locale}`);
  const friend = await person(`pla_fri_${viewport.width}_${colorScheme}_${locale}`);
  const file = await friend.api.v2.media.create({ file: pngFile(240, 160), description: 'A heron' });
  await account(who, friend).follow();
  const seen = await post(friend, 'A bird, at last', { mediaIds: [file.id] });
  await post(friend, `@${who.name} Which?`, { poll: { options: ['Boots', 'None'], expiresIn: 3600 } });
  const mine = await post(who, 'Mine, with a warning', { spoilerText: 'Mud' });
  const another = await post(who, 'Mine, too');
  for (const one of [mine, another]) await status(friend, one.id).favourite();
  await account(friend, who).follow();
  const context = await browser.newContext({ viewport, colorScheme, locale });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`${server.url}/auth/sign_in?return_to=/plain/on`);
  await signIn(page, `${who.name}@example.org`, password);
  await page.locator('nav.plain').waitFor();
  for (const [name, path] of [
    ['home', '/home'],
    ['notifications', '/notifications'],
    ['thread', `/@${friend.name}/${seen.id}`],
    ['profile', `/@${friend.name}`],
    ['own_profile', `/@${who.name}`],
    ['compose', '/compose'],
    ['answer', `/compose?in_reply_to_id=${seen.id}`],
  ]) {
    await page.goto(server.url + path);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${path} is too wide`);
    await sound(page, path);
    await accessible(page, `${path} ${viewport.width} ${colorScheme} ${locale}`);
    await screenshot(page, `plain_${name}_${viewport.width}_${colorScheme}_${locale}`);
  }
  await context.close();
};

for (const scene of scenes) scenarios[`axe has nothing to say of them, ${scene[0].width} px, ${scene[1]}, ${scene[2]}`] = scenario(...scene);

export default scenarios;
