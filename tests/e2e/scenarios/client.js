// SPDX-License-Identifier: AGPL-3.0-or-later
// People with the web client: what they do in the page is asked of the API afterwards.
import assert from 'node:assert/strict';
import { screenshot, signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { accessible, close, compose, desk, openClient, phone, postOf, visit, write } from '../support/client.js';
import { account, get, home, notifications, password, person, post, server, status } from '../support/stage.js';
import { pngFile } from '../support/png.js';

// What is drawn after this is drawn for what was done before.
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];

const everyday = {
  'two people write to, see and like each other live': async () => {
    const alice = await person('web_alice');
    const bob = await person('web_bob');
    await account(alice, bob).follow();
    await account(bob, alice).follow();
    await post(bob, 'something to begin with');
    const hers = await openClient(alice);
    const his = await openClient(bob);

    await write(his, 'Hello from the browser');
    await postOf(his, 'Hello from the browser').waitFor();
    const written = await newest(bob);
    assert.equal(written.content, '<p>Hello from the browser</p>');
    assert.equal(written.application?.name, 'Web');

    await hers.getByRole('button', { name: /^1 new/ }).click();
    await postOf(hers, 'Hello from the browser').getByRole('button', { name: /^Favourite/ }).click();
    await until('the favourite is known', async () => (await status(alice, written.id).fetch()).favourited);
    await his.locator('nav .badge').first().waitFor();

    await postOf(hers, 'Hello from the browser').getByRole('button', { name: /^Boost/ }).click();
    await until('the boost is known', async () => (await status(alice, written.id).fetch()).reblogged);

    await postOf(hers, 'Hello from the browser').focus();
    await hers.keyboard.press('r');
    await compose(hers).waitFor();
    await until('the mention is there', async () => (await compose(hers).inputValue()) === '@web_bob ');
    await hers.keyboard.type('and back');
    await hers.keyboard.press('Control+Enter');
    await hers.getByRole('dialog').waitFor({ state: 'detached' });
    const reply = await newest(alice);
    assert.equal(reply.inReplyToId, written.id);

    await visit(his, '/notifications');
    await his.getByText('mentioned you').first().waitFor();
    await his.getByText('and back').first().waitFor();
    assert.ok((await notifications(bob)).some((one) => one.type === 'mention' && one.status.id === reply.id));
    await close(hers);
    await close(his);
  },

  'what is written on one device is gone on with on another, and shown as the server renders it': async () => {
    const wil = await person('web_wil');
    const first = await openClient(wil);
    await first.getByRole('button', { name: 'New post' }).first().click();
    await compose(first).fill('Half a thought for @web_nobody');
    await first.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await first.getByText('Not found here: @web_nobody').waitFor();
    const drafts = async () => (await get('/api/dunlin/v1/drafts', wil.token)).json();
    await until('the draft is on the server', async () => (await drafts()).length === 1);
    const second = await openClient(wil, { viewport: phone });
    await visit(second, '/drafts');
    await second.getByRole('button', { name: 'Go on' }).click();
    await until('what was written is there', async () => /Half a thought/.test(await compose(second).inputValue()));
    await compose(second).fill('A whole thought');
    await second.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
    await second.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the draft is gone', async () => (await drafts()).length === 0);
    assert.equal((await newest(wil)).content, '<p>A whole thought</p>');
    await close(first);
    await close(second);
  },

  'a post has a warning, an audience, a picture with words for it, and a poll': async () => {
    const ann = await person('web_ann');
    const page = await openClient(ann, { viewport: phone });
    await page.getByRole('button', { name: 'New post' }).first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Content warning' }).click();
    await sheet.getByRole('textbox', { name: 'What readers should be warned of' }).fill('the sea');
    await compose(page).fill('x'); // the first field is the warning now
    await sheet.getByRole('textbox', { name: 'What readers should be warned of' }).fill('the sea');
    await sheet.getByRole('textbox', { name: 'What is on your mind?' }).fill('It is blue.');
    await sheet.getByRole('combobox', { name: 'Who will see this' }).selectOption('unlisted');
    const picture = pngFile(120, 80);
    await sheet.locator('input[type=file]').setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from(await picture.arrayBuffer()) });
    await sheet.getByLabel(/^Describe/).fill('A blue sea');
    await sheet.getByLabel(/^Describe/).blur();
    await sheet.getByRole('button', { name: 'Post', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    const written = await newest(ann);
    assert.equal(written.spoilerText, 'the sea');
    assert.equal(written.visibility, 'unlisted');
    assert.equal(written.sensitive, true);
    assert.equal(written.mediaAttachments[0].description, 'A blue sea');

    await page.getByRole('button', { name: 'New post' }).first().click();
    await compose(page).fill('What next?');
    await sheet.getByRole('button', { name: 'Poll' }).click();
    await sheet.getByRole('textbox', { name: 'Option 1' }).fill('Knots');
    await sheet.getByRole('textbox', { name: 'Option 2' }).fill('Curlews');
    await sheet.getByRole('button', { name: 'Post', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.deepEqual((await newest(ann)).poll.options.map((one) => one.title), ['Knots', 'Curlews']);
    await close(page);
  },

  'following, lists, filters, bookmarks and settings reach the server': async () => {
    const cleo = await person('web_cleo');
    const dora = await person('web_dora');
    const theirs = await post(dora, 'a thing to keep');
    const page = await openClient(cleo);
    await visit(page, '/@web_dora');
    await page.getByRole('button', { name: /^Follow/ }).first().click();
    await page.getByRole('button', { name: /^Following/ }).first().waitFor();
    await until('the follow is known', async () => (await cleo.api.v1.accounts.relationships.fetch({ id: [dora.id] }))[0].following);

    await postOf(page, 'a thing to keep').getByRole('button', { name: 'Bookmark' }).click();
    await until('the bookmark is known', async () => (await status(cleo, theirs.id).fetch()).bookmarked);
    await visit(page, '/bookmarks');
    await postOf(page, 'a thing to keep').waitFor();

    await visit(page, '/lists');
    await page.getByRole('textbox', { name: 'New list' }).fill('Birds');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Birds' }).waitFor();
    const [list] = await cleo.api.v1.lists.list();
    assert.equal(list.title, 'Birds');
    await visit(page, '/lists/edit');
    await page.getByRole('checkbox', { name: 'web_dora on Birds' }).check();
    await until('she is on the list', async () => (await cleo.api.v1.lists.$select(list.id).accounts.list()).length === 1);

    await visit(page, '/filters/new');
    await page.getByRole('textbox', { name: 'Word 1' }).fill('thing');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/would catch/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/filters');
    assert.equal((await cleo.api.v2.filters.list())[0].keywords[0].keyword, 'thing');
    await visit(page, '/home');
    await postOf(page, 'Filtered: thing').waitFor();

    await visit(page, '/settings/profile');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cleo the Curlew');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    assert.equal((await cleo.api.v1.accounts.verifyCredentials()).displayName, 'Cleo the Curlew');
    await close(page);
  },

  'a long home stays where it is, back leads to the same pixel, and j and k walk through it': async () => {
    const reader = await person('web_reader');
    const writer = await person('web_writer');
    await account(reader, writer).follow();
    for (let n = 1; n <= 60; ++n) await post(writer, `Post ${n}. ${'Some more words to make it longer. '.repeat(n % 5)}`);
    const page = await openClient(reader);
    await postOf(page, 'Post 60.').waitFor();
    const top = () =>
      page.evaluate(() => {
        const row = [...document.querySelectorAll('[data-row]')].find((one) => one.getBoundingClientRect().bottom > 60);
        return { id: row.dataset.row, at: row.getBoundingClientRect().top };
      });
    const where = (id) => page.evaluate((one) => document.querySelector(`[data-row="${one}"]`)?.getBoundingClientRect().top, id);
    for (let n = 0; n < 25; ++n) {
      await page.mouse.wheel(0, 240);
      await page.waitForTimeout(25);
    }
    let before = await top();
    await until('it stands still', async () => {
      const last = before;
      await page.waitForTimeout(300);
      before = await top();
      return before.id === last.id && before.at === last.at;
    });

    await post(writer, 'above the window');
    await page.getByRole('button', { name: /^1 new/ }).waitFor();
    assert.ok(Math.abs((await where(before.id)) - before.at) <= 2, 'a post that arrives moves nothing');
    const gone = (await home(reader))[5];
    await status(writer, gone.id).remove();
    await page.waitForTimeout(500);
    assert.ok(Math.abs((await where(before.id)) - before.at) <= 2, 'a post that is deleted above moves nothing');

    await page.evaluate((id) => document.querySelector(`[data-row="${id}"] a time`).click(), before.id);
    await page.waitForURL(/@web_writer\/\d+$/);
    await page.goBack();
    await page.waitForFunction((id) => document.querySelector(`[data-row="${id}"]`), before.id);
    await until('back leads to the same place', async () => Math.abs((await where(before.id)) - before.at) <= 2);

    let worst = 0;
    for (let n = 0; n < 60; ++n) {
      const one = await top();
      await page.evaluate(() => scrollBy(0, -90));
      await drawn(page);
      const now = await where(one.id);
      if (now !== undefined && (await page.evaluate(() => scrollY)) > 0) worst = Math.max(worst, Math.abs(now - one.at - 90));
    }
    assert.ok(worst <= 2, `reading upwards jumped by ${worst} pixels`);

    await page.evaluate(() => scrollTo(0, 0));
    await drawn(page);
    const focused = () => page.evaluate(() => document.activeElement.closest('[data-row]')?.getBoundingClientRect().top);
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key);
      await drawn(page);
    }
    await until('the post stands under the bar', async () => Math.abs((await focused()) - 56) <= 3);
    await close(page);
  },

  'what is being written survives a reload, and goes on where it was': async () => {
    const page = await openClient(await person('web_scribe'));
    await page.keyboard.press('n');
    await compose(page).fill('do not lose this');
    await until('it is kept', async () => (await kept(page)).some(([key, one]) => /\/drafts$/.test(key) && one.length > 0));
    await page.reload();
    await page.locator('main h1').waitFor();
    await page.keyboard.press('n');
    await compose(page).waitFor();
    await until('the text is back', async () => (await compose(page).inputValue()) === 'do not lose this');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await visit(page, '/drafts');
    await page.getByText('do not lose this').waitFor();
    await close(page);
  },

  'without a net the page starts, and what is written goes out when there is one again': async () => {
    const hermit = await person('web_hermit');
    await post(hermit, 'known before');
    const page = await openClient(hermit, { worker: true });
    await postOf(page, 'known before').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.reload();
    await postOf(page, 'known before').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await postOf(page, 'known before').waitFor();
    await page.getByRole('button', { name: 'New post' }).first().click();
    await compose(page).fill('written without a net');
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText(/your post is kept/).waitFor();
    await page.context().setOffline(false);
    await until('the post is there', async () => (await newest(hermit)).content === '<p>written without a net</p>');
    assert.equal(await page.getByRole('dialog', { name: 'You have been signed out' }).count(), 0);
    await close(page);
  },

  'several accounts of one browser, each tab with one of them': async () => {
    const one = await person('web_one');
    const two = await person('web_two');
    const page = await openClient(one);
    await page.goto(`${server.url}/auth/sign_in?add=1&return_to=/home`);
    await signIn(page, 'web_two@example.org', password);
    await page.waitForURL('**/home');
    const me = page.locator('nav .me-button');
    await me.waitFor();
    const other = (await me.innerText()).includes('web_one') ? 'web_two' : 'web_one';
    await me.click();
    await page.getByRole('menuitem', { name: `@${other}` }).click();
    await until('the tab is of the other account', async () => (await me.innerText()).includes(other));
    await write(page, 'from the other account');
    assert.equal((await newest(other === 'web_one' ? one : two)).content, '<p>from the other account</p>');
    // By a key as well; the one that signed in last is the first.
    await page.keyboard.press(other === 'web_one' ? 'Shift+Digit1' : 'Shift+Digit2');
    await until('the tab is of the first account again', async () => !(await me.innerText()).includes(other));
    await close(page);
  },

  // Reports are made in December; what the server would answer then stands in its place.
  'a year in figures is asked for, waited for and shown': async () => {
    const yve = await person('web_yve');
    const best = await post(yve, 'The one that went around');
    const page = await openClient(yve);
    const asked = [];
    let state = 'eligible';
    await page.route('**/api/v1/annual_reports/2025**', (route) => {
      const request = route.request();
      const path = new URL(request.url()).pathname.replace('/api/v1/annual_reports/2025', '');
      asked.push(`${request.method()} ${path}`);
      if (path === '/generate') return (state = 'generating'), route.fulfill({ status: 202, body: '' });
      if (path === '/read') return route.fulfill({ json: {} });
      if (path === '/state') {
        const now = state;
        if (state === 'generating') state = 'available';
        return route.fulfill({ json: { state: now } });
      }
      const data = { archetype: 'oracle', top_statuses: { by_reblogs: best.id }, time_series: Array.from({ length: 12 }, (_, n) => ({ month: n + 1, statuses: n, followers: 1 })), top_hashtags: [{ name: 'waders', count: 9 }] };
      return route.fulfill({ json: { annual_reports: [{ year: 2025, data, schema_version: 2, share_url: `${server.url}/@web_yve/wrapstodon/2025/key` }], accounts: [], statuses: [written] } });
    });
    const written = await (await get(`/api/v1/statuses/${best.id}`, yve.token)).json();
    await visit(page, '/annual-report/2025');
    await page.getByRole('button', { name: 'Look at my year' }).click();
    await page.getByText('You had much to say yourself.').waitFor();
    await page.getByRole('link', { name: '#waders' }).waitFor();
    await page.getByRole('row', { name: /^Dec/ }).getByText('11').waitFor();
    await postOf(page, 'The one that went around').waitFor();
    await until('it is told as read', () => asked.includes('POST /read'));
    await page.getByRole('link', { name: '/@web_yve/wrapstodon/2025/key' }).waitFor();
    await accessible(page, 'a year in figures');
    await screenshot(page, 'annual-report');
    await close(page);
  },

  'a session ended elsewhere is said over the page': async () => {
    const owner = await person('web_owner');
    const page = await openClient(owner);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/auth/sign_out`);
    await other.click('button[type=submit]');
    await page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
    await close(page);
  },
};

// What axe says of the screens: each on a phone in light colours and on a desk in dark ones.
const screens = {
  reading: ['/home', '/public/local', '/notifications', '/notifications/policy', '/notifications/requests', '/conversations', '/search', '/search?q=waders', '/explore', '/explore/people', '/tags/waders', '/bookmarks', '/favourites', '/catchup', '/@NAME', '/@FAN/followers', '/@NAME/POST', '/@NAME/POST/favourites', '/@NAME/POST/history'],
  arranging: ['/lists', '/lists/edit', '/requests', '/blocks', '/mutes', '/domain-blocks', '/followed-tags', '/collections', '/announcements', '/drafts', '/scheduled', '/filters', '/filters/new', '/compose', '/welcome', '/settings', '/settings/profile', '/settings/appearance', '/settings/language', '/settings/posting', '/settings/reading', '/settings/notifications', '/settings/labels', '/settings/keyboard'],
};

async function inhabited(name) {
  const eve = await person(name);
  const fan = await person(`${name}_fan`);
  await account(eve, fan).follow();
  await account(fan, eve).follow();
  const first = await post(eve, 'First light over the marsh. #waders');
  const reply = await post(fan, `@${name} where was it?`, { inReplyToId: first.id });
  await post(eve, `@${name}_fan at the sea wall`, { inReplyToId: reply.id });
  await status(fan, first.id).favourite();
  await post(fan, 'Which one?', { poll: { options: ['a', 'b'], expiresIn: 3600 } });
  await post(fan, 'covered', { spoilerText: 'careful' });
  await post(fan, `@${name} in private`, { visibility: 'direct' });
  await eve.api.v1.lists.create({ title: 'Friends' });
  return { eve, place: (path) => path.replace('NAME', name).replace('FAN', `${name}_fan`).replace('POST', first.id) };
}

// What the client keeps on the device: keys with their values.
const kept = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('dunlin');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const found = [];
          const reading = opening.result.transaction('kept').objectStore('kept').openCursor();
          reading.onerror = () => reject(reading.error);
          reading.onsuccess = () => {
            const at = reading.result;
            if (!at) {
              opening.result.close();
              return resolve(found);
            }
            found.push([String(at.key), at.value]);
            at.continue();
          };
        };
      }),
  );

async function inspect(part, viewport, colorScheme) {
  const { eve, place } = await inhabited(`web_${part}_${colorScheme}`);
  const page = await openClient(eve, { viewport, colorScheme });
  for (const path of screens[part].map(place)) {
    await visit(page, path);
    await page.waitForTimeout(60);
    await accessible(page, `${path} ${viewport.width} ${colorScheme}`);
    await screenshot(page, `client${path.replace(/\W+/g, '_')}-${viewport.width}-${colorScheme}`);
  }
  if (part === 'arranging') await dialogs(page);
  await close(page);
}

async function dialogs(page) {
  await visit(page, '/home');
  for (const key of ['n', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await accessible(page, `the dialog of ${key}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

const axe = Object.fromEntries(
  Object.keys(screens).flatMap((part) => [
    [`axe has nothing to say of ${part} on a phone`, () => inspect(part, phone, 'light')],
    [`axe has nothing to say of ${part} on a desk in the dark`, () => inspect(part, desk, 'dark')],
  ]),
);

export default { ...everyday, ...axe };
