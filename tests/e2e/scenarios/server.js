// SPDX-License-Identifier: AGPL-3.0-or-later
// What a client learns of the server, and how it answers in general.
import assert from 'node:assert/strict';
import { has } from '../support/check.js';
import { get, person, post, server, stranger } from '../support/stage.js';

export default {
  'both descriptions of the instance': async () => {
    const v1 = await stranger.v1.instance.fetch();
    assert.equal(v1.uri, server.host);
    assert.equal(v1.urls.streamingApi, `ws://${server.host}`);
    assert.deepEqual([v1.registrations, v1.approvalRequired], [true, false]);
    assert.match(v1.version, /^\d+\.\d+\.\d+/);
    assert.ok('userCount' in v1.stats && 'statusCount' in v1.stats && 'domainCount' in v1.stats);

    const v2 = await stranger.v2.instance.fetch();
    assert.equal(v2.domain, server.host);
    assert.equal(v2.configuration.urls.streaming, `ws://${server.host}`);
    assert.equal(v2.configuration.statuses.charactersReservedPerUrl, 23);
    assert.equal(v2.configuration.statuses.maxMediaAttachments, 4);
    assert.ok(v2.apiVersions.mastodon >= 1);
    assert.deepEqual([v2.registrations.enabled, v2.registrations.approvalRequired], [true, false]);
    for (const address of [v1.thumbnail, v2.thumbnail.url, ...v2.icon.map((i) => i.src)].filter(Boolean))
      assert.equal((await fetch(address)).status, 200, `${address} exists`);
    assert.deepEqual(await stranger.v1.instance.rules.list(), v2.rules);
  },

  'every API answer carries the headers clients read': async () => {
    const alice = await person('hdr_alice');
    for (const [path, token] of [['/api/v1/timelines/public'], ['/api/v1/accounts/verify_credentials', alice.token]]) {
      const { headers, status } = await get(path, token);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id', 'date', 'vary'])
        assert.ok(headers.get(name), `${path} has no ${name}`);
      assert.match(headers.get('access-control-expose-headers'), /Link/);
    }
    const anonymous = await get('/api/v1/timelines/public');
    assert.match(anonymous.headers.get('cache-control'), /public/);
    assert.match((await get('/api/v1/timelines/public', alice.token)).headers.get('cache-control'), /private/);
    const preflight = await fetch(`${server.url}/api/v1/statuses`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
    });
    assert.ok(preflight.ok, `OPTIONS answered ${preflight.status}`);
    assert.match(preflight.headers.get('access-control-allow-methods'), /POST/);
    assert.match(preflight.headers.get('access-control-allow-headers'), /authorization|\*/i);
  },

  'an unknown address below /api is a JSON 404, and HEAD and trailing slashes work': async () => {
    const missing = await get('/api/v1/no_such_thing');
    assert.equal(missing.status, 404);
    assert.deepEqual(await missing.json(), { error: 'Not Found' });
    assert.equal((await get('/api/v2/instance/')).status, 200);
    const head = await fetch(`${server.url}/api/v2/instance`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  },

  'forms, JSON and queries say the same': async () => {
    const { token } = await person('frm_alice');
    const send = async (init, query = '') => {
      const answer = await fetch(`${server.url}/api/v1/statuses${query}`, {
        method: 'POST',
        ...init,
        headers: { Authorization: `Bearer ${token}`, ...init.headers },
      });
      assert.equal(answer.status, 200, await answer.clone().text());
      const { content, spoiler_text, visibility } = await answer.json();
      return { content, spoiler_text, visibility };
    };
    const values = { status: 'same', spoiler_text: 'cw', visibility: 'unlisted' };
    const expected = { content: '<p>same</p>', spoiler_text: 'cw', visibility: 'unlisted' };
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    assert.deepEqual(await send({ body: JSON.stringify(values), headers: { 'Content-Type': 'application/json' } }), expected);
    assert.deepEqual(await send({ body: new URLSearchParams(values) }), expected);
    assert.deepEqual(await send({ body: form }), expected);
    assert.deepEqual(await send({}, `?${new URLSearchParams(values)}`), expected);
  },

  'commands work beside the running server, at once': async () => {
    const alice = await person('cmd_alice');
    assert.match(await server.command('account', 'list'), /cmd_alice/);
    await server.command('account', 'modify', 'cmd_alice', '--disable');
    assert.equal((await get('/api/v1/accounts/verify_credentials', alice.token)).status, 403, 'a disabled login');
    await server.command('account', 'modify', 'cmd_alice', '--enable');
    assert.equal((await get('/api/v1/accounts/verify_credentials', alice.token)).status, 200);
    const { id } = await post(alice, 'still here');
    has(await alice.account.statuses.list(), id, 'account statuses');
    const metrics = await get('/metrics');
    assert.equal(metrics.status, 200);
    assert.match(await metrics.text(), /^# TYPE /m);
  },
};
