// SPDX-License-Identifier: AGPL-3.0-or-later
// Every screen of the web client, in a place that is lived in, on a phone and on a desk, light, dark and from right to left:
// none is blank, broken or wider than its window. SCREENSHOTS=FOLDER tests/e2e/run pictures keeps what they look like.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { screenshot } from '../support/browser.js';
import { close, desk, openClient, phone, visit } from '../support/client.js';
import { person, server } from '../support/stage.js';
import { village } from '../support/village.js';

const table = JSON.parse(await readFile(new URL('../../../web/client/dist/routes.json', import.meta.url), 'utf8'));

// Where each route of the client is looked at; null: it is the same screen as another.
const addresses = ({ eve, fan, first, list, filter, collection, conversation, held }) => {
  const [me, her, one] = [`/@${eve.name}`, `/@${fan.name}`, `/@${eve.name}/${first.id}`];
  return {
    '/tags/:tag': '/tags/waders',
    '/links': '/links?url=https%3A%2F%2Fwaders.example%2F',
    '/conversations/:id': `/conversations/${conversation}`,
    '/lists/:id': `/lists/${list.id}`,
    '/share': null,
    '/search': '/search?q=marsh',
    '/explore/posts': null,
    '/notifications/requests/:id': `/notifications/requests/${held.id}`,
    '/annual-report/:year': '/annual-report/2025',
    '/collections/:id': `/collections/${collection.id}`,
    '/filters/:id': `/filters/${filter.id}`,
    '/@:acct': me,
    '/@:acct/replies': `${me}/replies`,
    '/@:acct/media': `${her}/media`,
    '/@:acct/featured': `${me}/featured`,
    '/@:acct/followers': `${me}/followers`,
    '/@:acct/following': `${me}/following`,
    '/@:acct/collections': `${me}/collections`,
    '/@:acct/:id': one,
    '/@:acct/:id/favourites': `${one}/favourites`,
    '/@:acct/:id/boosts': `${one}/boosts`,
    '/@:acct/:id/quotes': `${one}/quotes`,
    '/@:acct/:id/history': `${one}/history`,
  };
};

let living;
const lived = () => (living ??= village('pic'));

async function look(viewport, colorScheme, locale) {
  const place = await lived();
  const { name } = place.eve;
  const page = await openClient(place.eve, { viewport, colorScheme, locale });
  const known = addresses(place);
  const faults = [];
  for (const { path } of table.routes) {
    const address = path in known ? known[path] : path;
    if (!address) continue;
    assert.ok(!address.includes(':'), `no address for ${path}`);
    await visit(page, address);
    await page.evaluate(() => Promise.all([...document.images].map((one) => one.complete || new Promise((done) => (one.onload = one.onerror = done)))));
    await page.waitForTimeout(80);
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      text: document.querySelector('main').innerText,
      failed: !!document.querySelector('main [role=alert]'),
      broken: [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
      // What sticks out of the page, though the page itself does not scroll.
      out: [...document.querySelectorAll('main :is(button, a, input, select, h1, h2, p)')].filter((one) => {
        const box = one.getBoundingClientRect();
        let clipped = one.closest('.sr, [hidden]');
        for (let over = one; over && !clipped; over = over.parentElement) if (over.scrollWidth > over.clientWidth && /auto|scroll|hidden/.test(getComputedStyle(over).overflowX)) clipped = over;
        return box.width > 1 && !clipped && (box.left < -1 || box.right > innerWidth + 1);
      }).map((one) => one.outerHTML.slice(0, 120)),
    }));
    if (seen.wide > 0) faults.push(`${address}: ${seen.wide} px wider than the window`);
    if (seen.out.length) faults.push(`${address}: sticks out: ${seen.out.slice(0, 2).join(' | ')}`);
    if (seen.text.trim().length < 3) faults.push(`${address}: is blank`);
    if (/undefined|\[object |NaN|null/.test(seen.text)) faults.push(`${address}: says ${/.{0,20}(undefined|\[object |NaN|null).{0,20}/.exec(seen.text)[0]}`);
    if (seen.failed) faults.push(`${address}: says that it failed`);
    if (seen.broken.length) faults.push(`${address}: lacks pictures: ${seen.broken[0]}`);
    await screenshot(page, `screen${address.replace(/\d{6,}/g, 'ID').replaceAll(name, 'NAME').replace(/\W+/g, '_')}-${viewport.width}-${locale === 'ar' ? 'ar' : colorScheme}`);
  }
  assert.equal(faults.join('\n'), '');
  await close(page);
}

const every = [[phone, 'light', 'en'], [phone, 'dark', 'en'], [phone, 'light', 'ar'], [desk, 'light', 'en'], [desk, 'dark', 'en'], [desk, 'light', 'ar']];

export default {
  'an address that is no screen is none': async () => {
    const page = await openClient(await person('pic_lost'));
    for (const path of ['/notifications/nonsense', '/explore/nonsense']) {
      const answer = await page.goto(server.url + path);
      assert.equal(answer.status(), 404, path);
      assert.equal(await page.locator('#app').count(), 0);
    }
    await close(page);
  },
  ...Object.fromEntries(every.map(([viewport, scheme, locale]) => [`every screen at ${viewport.width} ${locale === 'ar' ? 'from right to left' : scheme}`, () => look(viewport, scheme, locale)])),
};
