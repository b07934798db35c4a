// SPDX-License-Identifier: AGPL-3.0-or-later
// What one comes upon in the web client, and what one leaves out: collections of others, people who are held back, languages, feeds.
import assert from 'node:assert/strict';
import { until } from '../support/check.js';
import { accessible, close, openClient, phone, postOf, visit } from '../support/client.js';
import { account, get, notifications, person, post, server, status } from '../support/stage.js';

async function ask(who, method, path, body) {
  const answer = await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${who.token}`, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

export default {
  'collections of others are come upon and opened': async () => {
    const [ann, ben, cat] = [await person('find_ann'), await person('find_ben'), await person('find_cat')];
    await ask(cat, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    const make = (name, more = {}) => ask(ann, 'POST', '/api/v1/collections', { name, description: 'All of the coast', sensitive: false, discoverable: true, account_ids: [cat.id], ...more });
    await make('Counters of the flats');
    await make('Only for me', { discoverable: false });
    const page = await openClient(ben, { viewport: phone });
    await visit(page, '/explore');
    await page.getByRole('link', { name: 'Collections', exact: true }).first().click();
    await page.waitForURL('**/explore/collections');
    const found = page.getByRole('listitem').filter({ hasText: 'Counters of the flats' });
    await found.waitFor();
    assert.match(await found.innerText(), /1 person · @find_ann/);
    assert.equal(await page.getByText('Only for me').count(), 0);
    await accessible(page, '/explore/collections');
    await found.getByRole('link').click();
    await page.getByRole('heading', { name: 'Counters of the flats' }).waitFor();
    await page.getByText('@find_cat').first().waitFor();
    await page.goBack();
    await found.waitFor();
    await account(ben, ann).mute();
    await visit(page, '/explore/collections');
    assert.equal(await found.count(), 0);
    await close(page);
  },

  'who is held back is looked at and let in': async () => {
    const [dan, eva] = [await person('find_dan'), await person('find_eva')];
    await ask(dan, 'PATCH', '/api/v2/notifications/policy', { for_not_following: 'filter' });
    await post(eva, '@find_dan have you seen the spoonbills?');
    await until('she is held back', async () => (await (await get('/api/v1/notifications/requests', dan.token)).json()).length === 1);
    const page = await openClient(dan, { viewport: phone });
    await visit(page, '/notifications/requests');
    await page.getByRole('link', { name: 'Show @find_eva' }).click();
    await page.getByRole('heading', { name: 'find_eva' }).first().waitFor();
    await postOf(page, 'spoonbills').waitFor();
    await accessible(page, 'somebody who is held back');
    assert.deepEqual(await notifications(dan), [], 'looking lets nobody in');
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.waitForURL('**/notifications/requests');
    await until('she is let in', async () => (await notifications(dan, 'mention')).length === 1);
    assert.deepEqual(await (await get('/api/v1/notifications/requests', dan.token)).json(), []);
    await close(page);
  },

  'home leaves out a language and what has no media, here and on the next device': async () => {
    const [fay, gus] = [await person('find_fay'), await person('find_gus')];
    await account(fay, gus).follow();
    await post(gus, 'Good morning', { language: 'en' });
    await post(gus, 'Guten Morgen', { language: 'de' });
    const turn = async (page, item) => {
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: item }).click();
    };
    const page = await openClient(fay);
    await postOf(page, 'Guten Morgen').waitFor();
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/api/web/settings'));
    await turn(page, 'German');
    await postOf(page, 'Guten Morgen').waitFor({ state: 'detached' });
    await postOf(page, 'Good morning').waitFor();
    await kept;
    const other = await openClient(fay, { viewport: phone });
    await postOf(other, 'Good morning').waitFor();
    assert.equal(await postOf(other, 'Guten Morgen').count(), 0);
    await turn(other, 'German');
    await postOf(other, 'Guten Morgen').waitFor();
    await turn(other, 'Only with media');
    await postOf(other, 'Good morning').waitFor({ state: 'detached' });
    assert.equal(await postOf(other, 'Guten Morgen').count(), 0);
    await close(other);
    await close(page);
  },

  'notifications leave out the types that one does not want to read': async () => {
    const [ida, jan] = [await person('find_ida'), await person('find_jan')];
    const liked = await post(ida, 'a post that is liked');
    await status(jan, liked.id).favourite();
    await post(jan, '@find_ida and answered');
    await until('both are told', async () => (await notifications(ida)).length === 2);
    const page = await openClient(ida);
    await visit(page, '/notifications');
    const of = (text) => page.locator('main article[aria-posinset]', { hasText: text });
    await of('a post that is liked').waitFor();
    await of('and answered').waitFor();
    const turn = async () => {
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Favourites of my posts' }).click();
    };
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/api/web/settings'));
    await turn();
    await of('a post that is liked').waitFor({ state: 'detached' });
    await of('and answered').waitFor();
    await accessible(page, 'notifications without some types');
    await kept;
    await visit(page, '/notifications');
    await of('and answered').waitFor();
    assert.equal(await of('a post that is liked').count(), 0, 'the choice stays');
    await turn();
    await of('a post that is liked').waitFor();
    assert.equal((await notifications(ida)).length, 2, 'nothing was dismissed');
    await close(page);
  },

  'a feed is a feed for who is signed in, too, also with the worker': async () => {
    const hal = await person('find_hal');
    await post(hal, 'for readers of feeds');
    const page = await openClient(hal, { worker: true });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await visit(page, `/@${hal.name}`);
    await page.getByRole('button', { name: 'More actions' }).first().click();
    assert.equal(await page.getByRole('menuitem', { name: 'RSS' }).getAttribute('href'), `/@${hal.name}.rss`);
    for (const kind of ['rss', 'atom']) {
      const answer = await page.evaluate(async (path) => {
        const got = await fetch(path, { headers: { Accept: 'text/html' } });
        return [got.status, got.headers.get('content-type'), await got.text()];
      }, `/@${hal.name}.${kind}`);
      assert.equal(answer[0], 200);
      assert.match(answer[1], new RegExp(kind));
      assert.match(answer[2], /for readers of feeds/);
      // The worker answers who goes there, and not who fetches it.
      const [gone] = await Promise.all([page.waitForResponse((one) => one.url().endsWith(`.${kind}`)), page.goto(`${server.url}/@${hal.name}.${kind}`).catch(() => undefined)]);
      assert.match(gone.headers()['content-type'], new RegExp(kind));
    }
    await close(page);
  },
};
