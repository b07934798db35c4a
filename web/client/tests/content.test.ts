// SPDX-License-Identifier: AGPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { contentOf, plain, words } from '../src/base/content';
import type { CustomEmoji } from '../src/base/entities';

const html = (source: string, emojis: CustomEmoji[] = [], links = {}): string => {
  const box = document.createElement('div');
  box.append(contentOf(source, emojis, links));
  return box.innerHTML;
};

describe('HTML of other servers', () => {
  test.each([
    ['<script>alert(1)</script>ok', 'ok'],
    ['<img src=x onerror=alert(1)>ok', 'ok'],
    ['<p onclick="alert(1)">ok</p>', '<p>ok</p>'],
    ['<a href="javascript:alert(1)">ok</a>', '<a>ok</a>'],
    ['<a href=" java\nscript:alert(1)">ok</a>', '<a>ok</a>'],
    ['<a href="data:text/html,x">ok</a>', '<a>ok</a>'],
    ['<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>ok', 'ok'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>', ''],
    ['<iframe src="https://example.org"></iframe><object data="x"></object><embed src="x">ok', 'ok'],
    ['<style>body{display:none}</style>ok', 'ok'],
    ['<p style="position:fixed" class="mention evil" id="x">ok</p>', '<p class="mention">ok</p>'],
    ['<form action="https://example.org"><button>ok</button></form>', 'ok'],
    ['<template><script>alert(1)</script></template>ok', 'ok'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', '"&gt;'],
    ['<h1>Big</h1>', '<strong class="heading">Big</strong>'],
    ['<p lang="ar" dir="rtl">ok</p>', '<p lang="ar" dir="rtl">ok</p>'],
    ['<base href="https://example.org/"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="x">ok', 'ok'],
  ])('%s', (source, expected) => expect(html(source)).toBe(expected));

  test('links lead out without telling where from, mentions and tags lead inside', () => {
    expect(html('<a href="https://example.org/x">x</a>')).toContain('rel="noopener noreferrer nofollow"');
    expect(html('<a href="https://b.example/@bob" class="mention">@bob</a>', [], { mentions: [{ id: '1', username: 'bob', acct: 'bob@b.example', url: 'https://b.example/@bob' }] })).toBe('<a class="mention" href="/@bob@b.example">@bob</a>');
    expect(html('<a href="https://b.example/tags/Cats" class="mention hashtag">#<span>Cats</span></a>')).toContain('href="/tags/Cats"');
  });
  test('emoji stand in text only', () => {
    const emoji = { shortcode: 'bird', url: 'https://a.example/bird.png', static_url: 'https://a.example/bird.png', visible_in_picker: true };
    expect(html('<p>a :bird: b</p>', [emoji])).toContain('class="emoji"');
    expect(html('<a href="https://x.example/:bird:">x</a>', [emoji])).toContain('href="https://x.example/:bird:"');
    const name = document.createElement('b');
    name.append(words('<b>:bird:</b>', [emoji]));
    expect(name.querySelectorAll('b')).toHaveLength(0);
    expect(name.querySelectorAll('img')).toHaveLength(1);
  });
  test('as plain words', () => expect(plain('<p>one</p><p>two<br>three</p>')).toBe('one two three'));
});
