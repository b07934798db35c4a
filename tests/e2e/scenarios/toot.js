// SPDX-License-Identifier: AGPL-3.0-or-later
// Debian's toot, a terminal client, as a person would use it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has, lacks, until } from '../support/check.js';
import { png } from '../support/png.js';
import { allow, freshPage, signIn } from '../support/browser.js';
import { account, browser, home, notifications, password, person, post, server } from '../support/stage.js';

const config = await mkdtemp(join(tmpdir(), 'dunlin-toot-'));
const environment = { ...process.env, XDG_CONFIG_HOME: config, PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8', BROWSER: 'true' };

// toot WORD...; converse(text so far, say) may answer its questions.
function toot(words, converse) {
  return new Promise((resolve, reject) => {
    const child = spawn('toot', words, { env: environment });
    let text = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    const heard = (chunk) => {
      text += chunk;
      converse?.(text, (line) => child.stdin.write(`${line}\n`), (error) => (child.kill(), reject(error)));
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    if (!converse) child.stdin.end();
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0 && !/^Error/m.test(text)) resolve(text);
      else reject(new Error(`toot ${words.join(' ')} ended with ${code}:\n${text}`));
    });
  });
}

async function codeFor(url) {
  const page = await freshPage(browser);
  await page.goto(url);
  await signIn(page, 'tara@example.org', password);
  await allow(page);
  return page.inputValue('input.oauth-code');
}

let tara;
let friend;
let posted;

export default {
  'toot login, with a code from the browser': async () => {
    tara = await person('tara');
    friend = await person('toot_friend');
    const done = { link: false, code: false };
    const text = await toot(['login', '-i', server.host, '--disable-https'], (sofar, say, fail) => {
      if (!done.link && sofar.includes('[Y/n]')) {
        done.link = true;
        say('n');
      }
      const url = sofar.match(/http:\S+\/oauth\/authorize\S+/);
      if (!done.code && url && sofar.includes('Authorization code:')) {
        done.code = true;
        codeFor(url[0]).then(say, fail);
      }
    });
    assert.match(text, /Successfully logged in/);
    assert.match(await toot(['whoami']), /@tara/);
    assert.match(await toot(['auth']), new RegExp(`tara@${server.host}`));
  },

  'toot instance and toot post': async () => {
    assert.match(await toot(['instance', server.host, '--disable-https']), /running Mastodon \d/);
    const picture = join(config, 'picture.png');
    await writeFile(picture, png(120, 80));
    const text = await toot(['post', 'Hello from the terminal #toot', '--media', picture, '--description', 'a small picture']);
    posted = text.match(/Toot posted: \S+\/(\d+)/)?.[1];
    assert.ok(posted, text);
    const [status] = await tara.account.statuses.list();
    assert.equal(status.id, posted);
    assert.equal(status.application.name, 'toot - a Mastodon CLI client');
    assert.equal(status.mediaAttachments[0].description, 'a small picture');
  },

  'toot follow, and the timelines it reads': async () => {
    const theirs = await post(friend, 'welcome @tara to the terminal');
    assert.match(await toot(['follow', 'toot_friend']), /You are now following toot_friend/);
    has(await home(tara), theirs.id, 'home');
    const own = await toot(['timeline', '--once']);
    assert.match(own, /welcome @tara to the terminal/);
    assert.match(own, /Hello from the terminal #toot/);
    assert.match(await toot(['timeline', '--once', '--public', '--local']), /Hello from the terminal/);
    assert.match(await toot(['timeline', '--once', '--tag', 'toot']), /Hello from the terminal/);
    await until('the mention', async () => (await notifications(tara, 'mention')).length);
    assert.match(await toot(['notifications']), /toot_friend mentioned you in/);
    assert.match(await toot(['following', 'tara']), /@toot_friend/);
    assert.match(await toot(['followers', 'toot_friend']), /@tara/);
    assert.match(await toot(['whois', 'toot_friend']), /Followers: 1/);
    assert.match(await toot(['search', 'toot_friend']), /@toot_friend/);
    assert.match(await toot(['unfollow', 'toot_friend']), /no longer following/);
    lacks(await home(tara), theirs.id, 'home');
  },

  'toot reply, thread, favourite, reblog, bookmark and delete': async () => {
    const theirs = await post(friend, 'what a thread');
    await account(tara, friend).follow();
    const text = await toot(['post', 'I agree', '--reply-to', theirs.id, '--spoiler-text', 'opinion', '--visibility', 'unlisted']);
    const reply = text.match(/\/(\d+)\s*$/)?.[1];
    assert.match(await toot(['thread', theirs.id]), /what a thread[^]*I agree/);
    await toot(['favourite', theirs.id]);
    await toot(['reblog', theirs.id]);
    await toot(['bookmark', theirs.id]);
    assert.match(await toot(['bookmarks', '--once']), /what a thread/);
    assert.match(await toot(['reblogged_by', theirs.id]), /@tara/);
    await toot(['unbookmark', theirs.id]);
    await toot(['unreblog', theirs.id]);
    await toot(['unfavourite', theirs.id]);
    await toot(['delete', reply]);
    lacks(await tara.account.statuses.list(), reply, 'account statuses');
    await toot(['block', 'toot_friend']);
    lacks(await home(tara), theirs.id, 'home right after the block');
    await toot(['unblock', 'toot_friend']);
  },

  'toot pin, mute, follow a hashtag, search and post later': async () => {
    const mine = await post(tara, 'about #terminals');
    await toot(['pin', mine.id]);
    assert.deepEqual((await tara.account.statuses.list({ pinned: true })).map((one) => one.id), [mine.id]);
    await toot(['unpin', mine.id]);
    await toot(['mute', 'toot_friend']);
    assert.deepEqual((await tara.api.v1.mutes.list()).map((one) => one.acct), ['toot_friend']);
    await toot(['unmute', 'toot_friend']);
    await toot(['tags_follow', 'terminals']);
    assert.match(await toot(['tags_followed']), /terminals/);
    await toot(['tags_unfollow', 'terminals']);
    assert.match(await toot(['search', 'terminals']), /#terminals/);
    await toot(['post', 'in a while', '--scheduled-in', '1 hour']);
    assert.deepEqual((await tara.api.v1.scheduledStatuses.list()).map((one) => one.params.text), ['in a while']);
  },
};
