// SPDX-License-Identifier: AGPL-3.0-or-later
// A browser without JavaScript goes from the front page and from a profile wherever links and forms lead: every page answers,
// is valid HTML and at most 20 kB, whether somebody is signed in or not, and what forms ask for can be done.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { freshPage, signIn } from '../support/browser.js';
import { long } from '../support/check.js';
import { pngFile } from '../support/png.js';
import { account, browser, get, password, person, post, server, status } from '../support/stage.js';
import { invalid } from '../support/validator.js';

const most = 20_000; // bytes on the wire
const linked = 'a[href], link[href], img[src], audio[src], video[src], source[src], form[method=get], form:not([method])';

// Somebody with what pages show.
async function someone(name) {
  const [ann, bob] = [await person(name), await person(`${name}_bob`)];
  await ann.api.v1.accounts.updateCredentials({ displayName: 'Ann & "friends" <b>', note: 'Birds & reeds https://example.org/?a=1&b=2', fieldsAttributes: [{ name: 'Where', value: 'The marsh' }] });
  await bob.api.v1.accounts.updateCredentials({ discoverable: true });
  const picture = await ann.api.v2.media.create({ file: pngFile(60, 40), description: 'A "heron" & more' });
  const first = await post(ann, 'The first #crawled <post>', { mediaIds: [picture.id] });
  const answer = await post(bob, `@${name} why?`, { inReplyToId: first.id });
  await post(ann, `@${name}_bob because`, { inReplyToId: answer.id, spoilerText: 'A reason' });
  await post(ann, 'Which?', { poll: { options: ['This', 'That'], expiresIn: 3600 } });
  for (let n = 0; n < 22; ++n) await post(ann, `Walk ${n} https://example.org/walks?a=1&b=${n}`);
  await status(ann, first.id).pin();
  await ann.api.v1.featuredTags.create({ name: 'crawled' });
  await account(ann, bob).follow();
  await account(bob, ann).follow();
  await bob.api.v1.statuses.$select(first.id).favourite();
  return ann;
}

// Where the page leads, as a browser understands it: addresses of ours, forms that ask by GET filled in with nothing.
const leads = (page) =>
  page.evaluate((selector) => {
    const out = [];
    for (const element of document.querySelectorAll(selector)) {
      const address = new URL(element.href ?? element.src ?? element.action, document.baseURI);
      if (element.tagName === 'FORM') address.search = new URLSearchParams([...new FormData(element)].map(([name, value]) => [name, String(value)])).toString();
      if (address.origin === location.origin) out.push(address.pathname + address.search);
    }
    return out;
  }, linked);

// Pages that differ by a name or a number alone are of one kind, two of which are seen.
const each = long ? 20 : 2;
const kindOf = (path) => path.replace(/@[^/?]+/, '@N').replace(/\d{6,}/g, 'N').replace(/tags\/[^/?]+/, 'tags/N').replace(/(max_id|min_id|page|v|return_to|uri|of)=[^&]*/g, '$1=');

async function crawl(page, from, enough) {
  const known = new Set(from);
  const kinds = new Map();
  const seen = [];
  for (const path of known) {
    const times = (kinds.get(kindOf(path)) ?? 0) + 1;
    kinds.set(kindOf(path), times);
    if (times > each) continue;
    const answer = await page.context().request.get(server.url + path, { headers: { Accept: 'text/html' }, maxRedirects: 0 });
    const type = answer.headers()['content-type'] ?? '';
    assert.ok(answer.status() < 400, `${path} is answered with ${answer.status()}`);
    if (answer.status() >= 300) {
      const to = new URL(answer.headers().location, server.url + path);
      if (to.origin === server.url) known.add(to.pathname + to.search);
      continue;
    }
    if (!type.startsWith('text/html')) continue;
    const html = await answer.text();
    seen.push(path);
    assert.deepEqual(await invalid(html), [], path);
    const size = gzipSync(html).length;
    assert.ok(size <= most, `${path} has ${size} bytes`);
    if (html.includes('id="app"')) continue; // the client, which says that it needs JavaScript
    assert.doesNotMatch(html, /<script(?! src="\/static\/passkey\.js" defer>)|\son[a-z]+="|javascript:/i, path);
    await page.goto(server.url + path);
    assert.ok(await page.locator('h1').first().isVisible(), `${path} has a heading`);
    for (const to of await leads(page)) if (!/^\/(auth\/sign_out|web\/|system\/|plain\/off)/.test(to)) known.add(to);
  }
  assert.ok(seen.length >= enough, `only ${seen.length} pages were found: ${seen.join(' ')}`);
  return seen;
}

const holds = (seen, patterns) => {
  for (const pattern of patterns) assert.ok(seen.some((path) => pattern.test(path)), `nothing leads to ${pattern}: ${seen.join(' ')}`);
};

export default {
  'from the front page and a profile, links lead to every public page, and none is broken': async () => {
    const ann = await someone('crawl_ann');
    const page = await freshPage(browser);
    const seen = await crawl(page, ['/', `/@${ann.name}`], 20);
    holds(seen, [/^\/about$/, /^\/privacy-policy$/, /^\/explore$/, /^\/auth\/sign_in/, /^\/auth\/sign_up/, /^\/auth\/password\/new/, /^\/@crawl_ann$/, /^\/@crawl_ann\/with_replies/, /^\/@crawl_ann\/media/, /^\/@crawl_ann\/\d+$/, /^\/@crawl_ann\/followers/, /^\/@crawl_ann\/following/, /^\/@crawl_ann\/featured/, /^\/tags\/crawled/, /max_id=/, /^\/remote_interaction_helper/]);
    await page.context().close();
  },

  'who is signed in without JavaScript finds every page of the account': async () => {
    await someone('crawl_eve');
    const page = await freshPage(browser);
    await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account`);
    await signIn(page, 'crawl_eve@example.org', password);
    const seen = await crawl(page, ['/?plain', '/settings/account'], 12);
    holds(seen, [/password$/, /email$/, /second_factor$/, /sessions$/, /transfer$/, /move$/, /deletion$/, /language$/, /authorized_applications$/].map((end) => new RegExp(end)));
    await page.context().close();
    assert.equal((await get('/auth/sign_out')).status, 302);
  },

  'who chose plain pages reads and writes on pages that lead to each other': async () => {
    await someone('crawl_fay');
    const page = await freshPage(browser);
    await page.goto(`${server.url}/auth/sign_in?return_to=/plain/on`);
    await signIn(page, 'crawl_fay@example.org', password);
    const seen = await crawl(page, ['/home'], 12);
    holds(seen, [/^\/home$/, /^\/home\?max_id=/, /^\/notifications$/, /^\/compose$/, /^\/compose\?in_reply_to_id=/, /^\/@crawl_fay$/, /^\/@crawl_fay\/replies/, /^\/@crawl_fay\/media/, /^\/@crawl_fay\/\d+$/]);
    await page.context().close();
  },
};
