// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages, the client and refusals in the language of who reads them: nothing of the English catalogues is left on the screens
// that everybody sees first.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { allow, deny, freshPage, screenshot, signIn } from '../support/browser.js';
import { close, openClient, phone, visit } from '../support/client.js';
import { authorizeUrl, browser, get, newApp, password, person, post, server } from '../support/stage.js';

const web = new URL('../../../web/', import.meta.url);
const read = async (path) => JSON.parse(await readFile(new URL(path, web), 'utf8'));
const words = (language) => read(`words/${language}.json`);

async function textsOfClient(language) {
  const areas = await readdir(new URL('locales/en/', web));
  return Object.assign({}, ...(await Promise.all(areas.map((area) => read(`locales/${language}/${area}`)))));
}

// What is said in English alone: whole texts, and the pieces between what is filled in.
function onlyEnglish(english, other) {
  const theirs = new Set(Object.values(other));
  const left = Object.values(english).filter((text) => !theirs.has(text));
  const filled = left.filter((text) => /[{<]/.test(text) && !/, plural,|, select,/.test(text));
  const pieces = filled.flatMap((text) => text.split(/\{\{?\w+\}?\}|<[^>]*>/)).map((piece) => piece.trim());
  return { whole: new Set(left.map((text) => text.trim())), pieces: pieces.filter((piece) => piece.split(' ').length > 2) };
}

const shownOn = (page) =>
  page.evaluate(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!['SCRIPT', 'STYLE'].includes(walker.currentNode.parentElement.tagName)) found.push(walker.currentNode.textContent);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'value'])
      for (const element of document.querySelectorAll(`body [${name}]`)) found.push(element.getAttribute(name));
    return [...found, document.title].map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
  });

async function speaks(page, language, english, where) {
  const shown = await shownOn(page);
  const left = shown.filter((text) => english.whole.has(text) || english.pieces.some((piece) => text.includes(piece)));
  assert.deepEqual(left, [], `English is left on ${where} in ${language}`);
  const root = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  assert.deepEqual(root, [language, language === 'ar' ? 'rtl' : 'ltr'], where);
}

async function pagesIn(language, locale, sentences) {
  const name = `lang_${locale.replace('-', '_').toLowerCase()}`;
  const who = await person(name);
  for (const text of ['1.', '2.', '3.']) await post(who, text);
  const english = onlyEnglish(await words('en'), await words(language));
  const context = await browser.newContext({ javaScriptEnabled: false, locale, viewport: phone });
  const page = await context.newPage();
  for (const path of ['/', '/about', '/explore', `/@${name}`, '/auth/sign_in', '/auth/sign_up', '/auth/password/new', '/nowhere']) {
    await page.goto(server.url + path);
    await speaks(page, language, english, path);
    await screenshot(page, `language_${language}${path.replaceAll('/', '_')}`);
  }
  for (const [path, sentence] of sentences(name)) {
    await page.goto(server.url + path);
    assert.ok((await page.locator('body').innerText()).includes(sentence), `${path} says: ${sentence}`);
  }
  // Signed in by a form, without a word about a language: that of the browser.
  await page.goto(`${server.url}/auth/sign_in?return_to=%2Fsettings%2Faccount`);
  await signIn(page, `${name}@example.org`, password);
  await speaks(page, language, english, '/settings/account');
  // An app that asks for access, and is refused.
  const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
  const app = await newApp(outOfBand);
  await page.goto(authorizeUrl(app, outOfBand));
  await speaks(page, language, english, 'the page of consent');
  await screenshot(page, `language_${language}_consent`);
  await deny(page);
  await speaks(page, language, english, 'the page of refusal');
  await page.goto(authorizeUrl(app, outOfBand));
  await allow(page);
  await speaks(page, language, english, 'the page with the code');
  await context.close();
}

async function clientIn(language, locale, sentences) {
  const who = await person(`client_${locale.replace('-', '_').toLowerCase()}`);
  for (const text of ['1.', '2.', '3.', '4.', '5.']) await post(who, text);
  const english = onlyEnglish(await textsOfClient('en'), await textsOfClient(language));
  const page = await openClient(who, { locale });
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map((one) => one.name).filter((one) => /\/(core|compose|more|settings)\./.test(one)));
  assert.deepEqual([...new Set(loaded.map((one) => one.replace(/.*\/\w+\.|\.js$/g, '')))], [language], 'a language loads alone');
  for (const path of ['/home', '/notifications', '/explore', `/@${who.name}`, '/settings', '/settings/language']) {
    await visit(page, path);
    await speaks(page, language, english, path);
    await screenshot(page, `client_${language}${path.replaceAll('/', '_')}`);
  }
  for (const [path, sentence] of sentences(who.name)) {
    await visit(page, path);
    await page.getByText(sentence).first().waitFor();
  }
  await close(page);
}

export default {
  'pages speak Polish, and count as Polish counts': () =>
    pagesIn('pl', 'pl-PL', (name) => [[`/@${name}`, '3 wpisy'], [`/@${name}`, '0 obserwujących'], ['/nowhere', 'Pod tym adresem nic nie ma.']]),
  'pages speak Arabic, from right to left': () =>
    pagesIn('ar', 'ar-EG', (name) => [[`/@${name}`, '3 منشورات'], ['/nowhere', 'لا شيء في هذا العنوان.']]),
  'pages speak Chinese in simplified characters': () =>
    pagesIn('zh-Hans', 'zh-CN', (name) => [[`/@${name}`, '3 条嘟文'], ['/nowhere', '此地址没有任何内容。']]),
  'the client speaks Polish, and counts as Polish counts': () =>
    clientIn('pl', 'pl', (name) => [['/notifications', 'Powiadomienia'], [`/@${name}`, 'wpisów']]),
  'the client speaks Arabic, from right to left': () =>
    clientIn('ar', 'ar', (name) => [['/notifications', 'الإشعارات'], [`/@${name}`, 'منشورات']]),
  'the client speaks Korean': () => clientIn('ko', 'ko-KR', () => [['/settings/language', '한국어']]),

  'a visitor chooses a language by the form in the foot, and a member in the account, without JavaScript': async () => {
    await person('lang_form');
    const page = await freshPage(browser);
    const language = () => page.getAttribute('html', 'lang');
    await page.goto(`${server.url}/about`);
    assert.equal(await language(), 'en');
    await page.selectOption('#language', 'ar');
    await page.locator('form.languages button').click();
    assert.deepEqual([new URL(page.url()).pathname, await language()], ['/about', 'ar']);
    await screenshot(page, 'language_form_about');
    await page.goto(`${server.url}/auth/sign_in?return_to=%2Fsettings%2Faccount%2Flanguage`);
    assert.equal(await language(), 'ar', 'it stays');
    await page.selectOption('#language', 'fr');
    await page.locator('form.languages button').click();
    assert.deepEqual([new URL(page.url()).search, await language()], ['?return_to=%2Fsettings%2Faccount%2Flanguage', 'fr']);
    await screenshot(page, 'language_form_sign_in');
    await signIn(page, 'lang_form@example.org', password);
    assert.deepEqual([new URL(page.url()).pathname, await language()], ['/settings/account/language', 'fr']);
    await page.selectOption('#chosen', 'nl');
    await page.locator('main button.button').click();
    assert.equal(await language(), 'nl');
    await screenshot(page, 'language_form_account');
    await page.goto(`${server.url}/about`);
    assert.equal(await language(), 'nl', 'what the account says counts more than the cookie');
    await page.context().close();
  },

  'a language that is chosen in the client is that of pages and refusals, until the browser decides again': async () => {
    const who = await person('lang_choice');
    const page = await openClient(who, { locale: 'en' });
    const choose = async (label, now) => {
      await visit(page, '/settings/language');
      await page.getByRole('radio', { name: label, exact: true }).check();
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: now, exact: true }).click()]);
      await page.locator('main h1').waitFor();
    };
    const [english, polish] = [await textsOfClient('en'), await textsOfClient('pl')];
    const account = async () => (await page.request.get(`${server.url}/settings/account`)).text();
    const refusal = async () => (await (await get('/api/v1/accounts/1', who.token)).json()).error;
    assert.match(await account(), /<html lang="en"/);

    await choose('Polski', english.use_language);
    await page.getByText(polish.interface_language).first().waitFor();
    assert.match(await account(), /<html lang="pl" dir="ltr">/);
    assert.equal(await refusal(), (await read('locales/pl.json'))['Record not found']);

    await choose('العربية', polish.use_language);
    assert.equal(await page.getAttribute('html', 'dir'), 'rtl');
    const arabic = await textsOfClient('ar');
    await choose(arabic.as_device, arabic.use_language);
    await page.getByText(english.interface_language).first().waitFor();
    assert.match(await account(), /<html lang="en"/);
    assert.equal(await refusal(), 'Record not found');
    await close(page);
  },
};
