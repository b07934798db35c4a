// SPDX-License-Identifier: AGPL-3.0-or-later
// A client that moderates, unchanged: every repository for staff that masto has, and the accounts of v2.
import assert from 'node:assert/strict';
import { all, has, ids, lacks, refused, until } from '../support/check.js';
import { client, get, notifications, person, post, server } from '../support/stage.js';

const scopes = 'read write follow push admin:read admin:write';

// The owner, with a token for staff.
async function owner() {
  const token = (await server.command('token', 'create', 'landlord', '--scopes', scopes)).trim();
  return { token, api: client(token), admin: client(token).v1.admin, admin2: client(token).v2.admin };
}
const report = (who, whom, more = {}) => who.api.v1.reports.create({ accountId: whom.id, ...more });
const day = (n) => new Date(Date.now() + n * 86_400_000).toISOString();

export default {
  'accounts are listed, marked, and the marks taken back': async () => {
    const { admin, admin2 } = await owner();
    const eve = await person('mod_eve');
    const of = admin.accounts.$select(eve.id);
    const shown = await of.fetch();
    assert.deepEqual([shown.username, shown.email, shown.role.id, shown.domain], ['mod_eve', 'mod_eve@example.org', '-99', null]);
    assert.equal(shown.account.id, eve.id);
    for (const [type, undo, mark] of [['disable', 'enable', 'disabled'], ['sensitive', 'unsensitive', 'sensitized'], ['silence', 'unsilence', 'silenced'], ['suspend', 'unsuspend', 'suspended']]) {
      await of.action.create({ type, text: 'Because of a test' });
      assert.equal((await of.fetch())[mark], true, type);
      if (type === 'suspend') {
        lacks(await admin.accounts.list(), eve.id);
        has(await admin.accounts.list({ suspended: true }), eve.id);
        has(await admin2.accounts.list({ status: 'suspended', origin: 'local' }), eve.id);
      }
      assert.equal((await of[undo]())[mark], false, undo);
    }
    const told = await until('a warning of each, but of the suspension', async () => {
      const list = await notifications(eve, 'moderation_warning');
      return list.length === 3 && list;
    });
    assert.deepEqual(told.map((n) => n.moderationWarning.action), ['silence', 'sensitive', 'disable']);
    has(await admin.accounts.list({ username: '@MOD_e' }), eve.id);
    has(await admin2.accounts.list({ email: 'mod_eve@' }), eve.id);
    assert.deepEqual(ids(await admin2.accounts.list({ permissions: 'staff', username: 'mod_' })), []);
    const pages = await all(admin.accounts.list({ limit: 2 }));
    assert.equal(new Set(ids(pages)).size, pages.length);
    has(pages, eve.id);
  },

  'reports pass through the hands of staff': async () => {
    const { admin } = await owner();
    const [ann, bad] = [await person('mod_ann'), await person('mod_bad')];
    const rude = await post(bad, 'rude words');
    const made = await report(ann, bad, { statusIds: [rude.id], comment: 'look', category: 'spam' });
    has(await admin.reports.list({ accountId: ann.id }), made.id);
    const one = admin.reports.$select(made.id);
    const shown = await one.fetch();
    assert.deepEqual([shown.comment, shown.category, shown.actionTaken, shown.targetAccount.id], ['look', 'spam', false, bad.id]);
    assert.deepEqual(ids(shown.statuses), [rude.id]);
    assert.notEqual((await one.assignToSelf()).assignedAccount, null);
    assert.equal((await one.unassign()).assignedAccount, null);
    assert.equal((await one.resolve()).actionTaken, true);
    has(await admin.reports.list({ resolved: true }), made.id);
    assert.equal((await one.reopen()).actionTaken, false);
    await admin.accounts.$select(bad.id).action.create({ type: 'none', reportId: made.id, text: 'Do not' });
    assert.equal((await one.fetch()).actionTaken, true);
    await refused(404, admin.reports.$select('7').fetch(), 'Record not found');
  },

  'servers are blocked and allowed': async () => {
    const { admin } = await owner();
    const block = await admin.domainBlocks.create({ domain: 'Bad.Example', severity: 'silence', publicComment: 'spam', rejectMedia: true });
    assert.deepEqual([block.domain, block.severity, block.rejectMedia, block.publicComment], ['bad.example', 'silence', true, 'spam']);
    const one = admin.domainBlocks.$select(block.id);
    assert.equal((await one.update({ severity: 'suspend' })).severity, 'suspend');
    assert.equal((await one.fetch()).publicComment, 'spam');
    has(await admin.domainBlocks.list({ limit: 5 }), block.id);
    await refused(422, admin.domainBlocks.create({ domain: 'bad.example' }));
    await one.remove();
    await refused(404, one.fetch());
    const allow = await admin.domainAllows.create({ domain: 'good.example' });
    assert.equal((await admin.domainAllows.$select(allow.id).fetch()).domain, 'good.example');
    has(await admin.domainAllows.list(), allow.id);
    await admin.domainAllows.$select(allow.id).remove();
    lacks(await admin.domainAllows.list(), allow.id);
  },

  'sign-ups are blocked by mail, address and network': async () => {
    const { admin } = await owner();
    const mail = await admin.emailDomainBlocks.create({ domain: 'spam.example' });
    assert.equal(mail.domain, 'spam.example');
    assert.equal(mail.history.length, 7);
    assert.equal((await admin.emailDomainBlocks.$select(mail.id).fetch()).id, mail.id);
    has(await admin.emailDomainBlocks.list(), mail.id);
    await admin.emailDomainBlocks.$select(mail.id).remove();

    const address = await admin.canonicalEmailBlocks.create({ email: 'Ev.e+1@fine.example' });
    assert.deepEqual(ids(await admin.canonicalEmailBlocks.test({ email: 'eve@fine.example' })), [address.id]);
    assert.equal((await admin.canonicalEmailBlocks.$select(address.id).fetch()).canonicalEmailHash.length, 64);
    has(await admin.canonicalEmailBlocks.list(), address.id);
    await admin.canonicalEmailBlocks.$select(address.id).remove();

    const network = await admin.ipBlocks.create({ ip: '203.0.113.7/24', severity: 'no_access', comment: 'x', expiresIn: 3600 });
    assert.equal(network.ip, '203.0.113.0/24');
    const changed = await admin.ipBlocks.$select(network.id).update({ severity: 'sign_up_block' });
    assert.deepEqual([changed.severity, changed.comment, changed.expiresAt], ['sign_up_block', 'x', network.expiresAt]);
    has(await admin.ipBlocks.list(), network.id);
    await admin.ipBlocks.$select(network.id).remove();
    await refused(404, admin.ipBlocks.$select(network.id).fetch());
  },

  'figures and trends are shown': async () => {
    const { admin } = await owner();
    const range = { startAt: day(-6), endAt: day(0) };
    const measures = await admin.measures.create({ keys: ['new_users', 'opened_reports', 'instance_accounts'], instanceAccounts: { domain: 'far.example' }, ...range });
    assert.deepEqual(measures.map((m) => m.key), ['new_users', 'opened_reports', 'instance_accounts']);
    assert.equal(measures[0].data.length, 7);
    assert.ok(Number(measures[0].data.at(-1).value) > 0);
    const dimensions = await admin.dimensions.create({ keys: ['sources', 'software_versions', 'space_usage'], ...range });
    assert.deepEqual(dimensions.map((d) => d.key), ['sources', 'software_versions', 'space_usage']);
    const cohorts = await admin.retention.create({ frequency: 'day', ...range });
    assert.equal(cohorts.length, 7);
    assert.equal(cohorts[0].data.length, 7);
    for (const list of [admin.trends.tags.list(), admin.trends.links.list(), admin.trends.statuses.list(), admin.trends.links.publishers.list()])
      assert.ok(Array.isArray(await list));
    await refused(404, admin.trends.tags.$select('7').approve());
  },

  'who is not staff sees none of it': async () => {
    const eve = await person('mod_nobody');
    const token = (await server.command('token', 'create', 'mod_nobody', '--scopes', scopes)).trim();
    await refused(403, client(token).v1.admin.accounts.list(), 'This action is not allowed');
    await refused(403, client(token).v1.admin.reports.$select('7').resolve(), 'This action is not allowed');
    await refused(403, eve.api.v1.admin.accounts.list(), 'This action is outside the authorized scopes');
    assert.equal((await get('/api/v1/admin/accounts')).status, 403);
  },

  'the team works on cases, and the operator at the command line': async () => {
    const { api, admin, token } = await owner();
    const mod = await person('mod_team');
    await server.command('account', 'modify', 'mod_team', '--role', 'moderator');
    const [ann, bad] = [await person('mod_case_a'), await person('mod_case_b')];
    const made = await report(ann, bad, { category: 'legal' });
    const ask = async (path, method = 'GET', body) => {
      const answer = await fetch(`${server.url}/api/dunlin/v1/moderation/${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      assert.equal(answer.status, 200, await answer.clone().text());
      return answer.json();
    };
    const [first] = await ask('cases');
    assert.equal(first.account.id, bad.id);
    const me = await api.v1.accounts.verifyCredentials();
    assert.equal((await ask(`cases/${first.id}/claim`, 'POST')).summary.claimed_by_id, me.id);
    await ask(`cases/${first.id}/notes`, 'POST', { text: 'Looks bad' });
    await server.command('report', 'assign', made.id, 'mod_team');
    assert.equal((await admin.reports.$select(made.id).fetch()).assignedAccount.id, mod.id);
    assert.match(await server.command('account', 'notes', 'mod_case_b', '--add', 'Asked for patience'), /operator: Asked for patience/);
    assert.deepEqual((await ask(`accounts/${bad.id}/notes`)).map((n) => n.text), ['Asked for patience']);
    const done = await ask(`cases/${first.id}/act`, 'POST', { type: 'silence', text: 'Enough' });
    assert.deepEqual([done.summary.open, done.reports[0].action_taken, done.notes[0].text], [false, true, 'Looks bad']);
    assert.match(await server.command('audit', 'verify'), /are as they were written/);
    assert.match(await server.command('registrations', 'approval'), /approval/);
    assert.equal((await api.v2.instance.fetch()).registrations.approvalRequired, true);
    assert.match(await server.command('registrations', 'open'), /open/);
  },

  'a webhook never reaches the machines behind the server': async () => {
    const { token } = await owner();
    const send = (path, method, body) =>
      fetch(`${server.url}/api/dunlin/v1/moderation/${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = await send('webhooks', 'POST', { url: 'http://127.0.0.1:9/in', events: ['report.created'] });
    assert.equal(made.status, 200, await made.clone().text());
    const hook = await made.json();
    const [ann, bad] = [await person('mod_hook_a'), await person('mod_hook_b')];
    await report(ann, bad);
    await until('the call is given up', async () => /a call of a webhook was given up.*forbidden_address/.test(await server.log()), 20);
    assert.equal((await send(`webhooks/${hook.id}`, 'PUT', { enabled: false })).status, 200);
  },
};
