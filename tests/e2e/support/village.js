// SPDX-License-Identifier: AGPL-3.0-or-later
// A place that is lived in, for looking at screens: people with faces, posts of every kind, and something to see on each
// screen of the web client.
import { until } from './check.js';
import { account, get, person, post, server, status } from './stage.js';
import { pngFile } from './png.js';

export async function village(name) {
  const call = async (who, method, path, body) => {
    const form = body instanceof FormData;
    const answer = await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${who.token}`, ...(!form && { 'Content-Type': 'application/json' }) }, body: form ? body : body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const looks = async (who, display, note, size) => {
    const form = new FormData();
    for (const [key, value] of [['display_name', display], ['note', note], ['avatar', pngFile(...size)], ['header', pngFile(600, 200)], ['discoverable', 'true'], ['fields_attributes[0][name]', 'Home'], ['fields_attributes[0][value]', 'The sea wall, third bench'], ['fields_attributes[1][name]', 'Site'], ['fields_attributes[1][value]', 'https://waders.example/a/rather/long/address/of/a/page']]) form.set(key, value);
    await call(who, 'PATCH', '/api/v1/accounts/update_credentials', form);
  };
  const people = {};
  for (const one of ['', '_fan', '_kim', '_noor', '_new']) people[one] = await person(name + one);
  const { '': eve, _fan: fan, _kim: kim, _noor: noor, _new: fresh } = people;
  await looks(eve, 'Eve of the Marsh', 'I count waders, mostly at high tide. #waders\n\nOpinions are those of the curlews.', [120, 120]);
  await looks(fan, 'Fan Fairweather with a rather long name', 'Reader of tide tables.', [90, 120]);
  await looks(kim, 'Kim', '', [120, 60]);
  await looks(noor, 'نور', 'أحب الطيور والبحر.', [100, 100]);
  for (const one of [fan, kim, noor]) {
    await account(eve, one).follow();
    await account(one, eve).follow();
  }
  const picture = async (who, size, description) => {
    const form = new FormData();
    form.set('file', pngFile(...size));
    form.set('description', description);
    const { id } = await call(who, 'POST', '/api/v2/media', form);
    await until('the picture is ready', async () => (await get(`/api/v1/media/${id}`, who.token)).status === 200);
    return id;
  };

  const first = await post(eve, 'First light over the marsh. #waders #dawn\n\nhttps://waders.example/counts/2026/with/a/long/address');
  const asked = await post(fan, `@${name} where was it?`, { inReplyToId: first.id });
  const told = await post(eve, `@${name}_fan at the sea wall`, { inReplyToId: asked.id });
  await post(kim, `@${name}_fan @${name} I was there as well, and saw nothing at all for three hours, which is a long time to stand in the wind and not see a single bird.`, { inReplyToId: told.id });
  await post(noor, `@${name} صباح الخير من البحر`, { inReplyToId: first.id, language: 'ar' });
  await post(eve, 'And the second light, a little later.', { inReplyToId: first.id });
  await status(fan, first.id).favourite();
  await status(kim, first.id).favourite();
  await status(kim, first.id).reblog();
  const poll = await post(fan, 'Which one?', { poll: { options: ['Knots', 'Curlews, more of them than one would think'], expiresIn: 3600 } });
  await status(eve, poll.id).favourite();
  await post(kim, 'The end of the film is that the boat sinks.', { spoilerText: 'A film, how it ends' });
  await post(fan, 'Four of them', { mediaIds: [await picture(fan, [400, 300], 'A gradient'), await picture(fan, [300, 400], 'A tall gradient'), await picture(fan, [300, 300], ''), await picture(fan, [500, 200], 'A wide gradient')] });
  await post(kim, 'Not for everybody', { mediaIds: [await picture(kim, [400, 300], 'Hidden')], sensitive: true });
  await post(noor, 'طيور الشاطئ تعود مع المد. #waders', { language: 'ar' });
  const quoted = await post(kim, 'Worth reading:', { quotedStatusId: first.id }).catch(() => null);
  await post(fan, `@${name} in private, where shall we meet?`, { visibility: 'direct' });
  const controlled = await post(eve, 'Ask before you answer');
  await call(eve, 'PUT', `/api/v1/statuses/${controlled.id}/interaction_policy`, { reply_policy: 'mentioned' });
  await post(fresh, `@${name} may I?`, { inReplyToId: controlled.id });
  await post(eve, 'A longer one. '.repeat(60));
  await status(eve, told.id).edit?.({ status: `@${name}_fan at the sea wall, by the third bench` }).catch(() => undefined);
  await call(eve, 'PUT', `/api/v1/statuses/${first.id}`, { status: 'First light over the marsh, at last. #waders #dawn' });
  await status(eve, poll.id).bookmark();
  await status(eve, first.id).pin();

  const list = await call(eve, 'POST', '/api/v1/lists', { title: 'Friends of the estuary' });
  await call(eve, 'POST', `/api/v1/lists/${list.id}/accounts`, { account_ids: [fan.id, kim.id] });
  const filter = await call(eve, 'POST', '/api/v2/filters', { title: 'Films', context: ['home', 'public'], filter_action: 'warn', keywords_attributes: [{ keyword: 'boat', whole_word: true }] });
  const collection = (await call(eve, 'POST', '/api/v1/collections', { name: 'People of the coast', description: 'Who counts what', discoverable: true, sensitive: false }));
  const made = collection.collection ?? collection;
  await call(eve, 'POST', `/api/v1/collections/${made.id}/items`, { account_id: fan.id });
  await call(eve, 'POST', '/api/v1/tags/waders/follow');
  await call(eve, 'POST', '/api/v1/statuses', { status: 'For tomorrow', scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
  await call(eve, 'PUT', '/api/dunlin/v1/drafts/abc', { data: { id: 'abc', text: 'Half a thought about the tide', warning: '', visibility: 'public', language: 'en', sensitive: false, localOnly: false, poll: null, media: [], reply: null, quote: null, edit: null, when: '', quotePolicy: 'public', format: 'text/plain', changed: new Date().toISOString() } });
  await account(eve, fresh).mute();
  await call(eve, 'POST', '/api/v1/domain_blocks', { domain: 'noisy.example' });
  await call(eve, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  await account(fresh, eve).follow();
  const other = await person(`${name}_blocked`);
  await account(eve, other).block();
  // Somebody new whose notifications wait.
  await call(eve, 'PATCH', '/api/v2/notifications/policy', { for_not_following: 'filter' });
  const stranger = await person(`${name}_stranger`);
  await post(stranger, `@${name} have you seen the spoonbills?`);
  const held = await until('somebody is held back', async () => (await (await get('/api/v1/notifications/requests', eve.token)).json())[0]);
  const letters = await until('there is a letter', async () => (await (await get('/api/v1/conversations', eve.token)).json())[0]);
  return { eve, fan, first, quoted, list, filter, collection: made, conversation: letters.id, held };
}
