// What the outputs of one segment share with the reference: n-grams of words, n-grams of characters, edits. The rules
// are those of the explanations of BLEU, chrF and WER (data/explanation.py), and tests hold the two together; marks for
// all segments and systems would be too many to send along. Pure functions: texts in, levels and steps out.
const marks = (() => {
  "use strict";
  const ORDERS = 4; // of words; levels end there, too
  const CHARACTER_ORDERS = 6;
  const MOST_CHARACTERS = 20_000; // of a text that is marked; more is shown as it stands
  const MOST_CELLS = 4_000_000; // of an alignment

  // BLEU's 13a: these signs stand alone, points and commas do except inside numbers, and so does a dash after a digit.
  // Scripts without spaces are read character by character.
  const ALONE = /[{-~[-`!-&(-+:-@/\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
  const DIGIT = /^[0-9]$/;
  const SIGN = /\p{M}/u;

  /** The words of a text as a metric sees them, each with its place. */
  function words(text, { fold = false, spaces = false } = {}) {
    const found = [];
    for (const { 0: piece, index } of text.matchAll(/\S+/gu)) {
      if (spaces) {
        found.push({ start: index, end: index + piece.length, key: folded(piece, fold) });
        continue;
      }
      const letters = [...piece];
      let at = index;
      let start = index;
      const cut = (end) => {
        if (end > start) found.push({ start, end, key: folded(text.slice(start, end), fold) });
        start = end;
      };
      letters.forEach((letter, i) => {
        const [before, after] = [letters[i - 1] ?? " ", letters[i + 1] ?? " "];
        const alone = ALONE.test(letter)
          || (/[.,]/.test(letter) && !(DIGIT.test(before) && DIGIT.test(after)))
          || (letter === "-" && DIGIT.test(before));
        if (alone) cut(at);
        at += letter.length;
        if (alone && !SIGN.test(after)) cut(at); // a sign stays with the letter it is written on
      });
      cut(at);
    }
    return found;
  }

  const folded = (word, fold) => (fold ? word.toLowerCase() : word);

  function counted(keys) {
    const counts = new Map();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }

  /** All runs of n symbols. */
  function runs(symbols, n, glue) {
    const found = [];
    for (let i = 0; i + n <= symbols.length; i += 1) found.push(symbols.slice(i, i + n).join(glue));
    return found;
  }

  /** How often each run of the hypothesis is found: as often as the reference that has most of it allows. */
  function matched(ours, theirs) {
    const most = new Map();
    for (const runsOfOne of theirs) {
      for (const [key, n] of counted(runsOfOne)) most.set(key, Math.max(n, most.get(key) ?? 0));
    }
    const found = new Map();
    for (const [key, n] of counted(ours)) if (most.has(key)) found.set(key, Math.min(n, most.get(key)));
    return found;
  }

  /** Which of the runs are found; of several alike the first ones are. */
  function hits(ours, found) {
    const left = new Map(found);
    return ours.map((key) => {
      const n = left.get(key) ?? 0;
      left.set(key, n - 1);
      return n > 0;
    });
  }

  /** For the hypothesis and each reference, the order of the longest n-gram found that each word is part of. */
  function wordLevels(ours, theirs) {
    const texts = [ours, ...theirs].map((own) => own.map((word) => word.key));
    const levels = texts.map((symbols) => symbols.map(() => 0));
    for (let n = 1; n <= ORDERS; n += 1) {
      const all = texts.map((symbols) => runs(symbols, n, " "));
      const found = matched(all[0], all.slice(1));
      all.forEach((own, t) => hits(own, found).forEach((hit, at) => {
        if (hit) levels[t].fill(n, at, at + n);
      }));
    }
    return { hypothesis: levels[0], references: levels.slice(1) };
  }

  const symbolsOf = (text) => [...text].filter((letter) => !/\s/u.test(letter));

  /** chrF's F of two texts, to find the reference that counts. */
  function agreement(ours, theirs) {
    let [precision, recall, orders] = [0, 0, 0];
    for (let n = 1; n <= CHARACTER_ORDERS; n += 1) {
      const [a, b] = [runs(ours, n, ""), runs(theirs, n, "")];
      if (!a.length || !b.length) continue;
      const sum = [...matched(a, [b]).values()].reduce((x, y) => x + y, 0);
      precision += sum / a.length;
      recall += sum / b.length;
      orders += 1;
    }
    return orders && precision + recall ? (5 * precision * recall) / (4 * precision + recall) / orders : 0;
  }

  /** Levels 0 to 4 of the characters of two texts: which share of the n-grams around each is found. */
  function characterLevels(text, references) {
    const ours = symbolsOf(text);
    const all = references.map(symbolsOf);
    const scores = all.map((own) => (all.length > 1 ? agreement(ours, own) : 0));
    const best = scores.indexOf(Math.max(...scores));
    const pair = [ours, all[best] ?? []];
    const sums = pair.map((symbols) => symbols.map(() => [0, 0]));
    for (let n = 1; n <= CHARACTER_ORDERS; n += 1) {
      const both = pair.map((symbols) => runs(symbols, n, ""));
      const found = matched(both[0], [both[1]]);
      both.forEach((own, t) => hits(own, found).forEach((hit, at) => {
        for (let i = at; i < at + n; i += 1) {
          sums[t][i][0] += hit ? 1 : 0;
          sums[t][i][1] += 1;
        }
      }));
    }
    const shares = sums.map((own) => own.map(([hit, of]) => hit / Math.max(1, of)));
    return { hypothesis: shares[0], reference: shares[1], best };
  }

  /** Characters that are drawn as one share a level: that of the mean of their shares. */
  function characterRuns(text, shares) {
    const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
    const found = [];
    let at = 0;
    for (const { segment, index } of clusters) {
      const n = symbolsOf(segment).length;
      if (!n) continue;
      let sum = 0;
      for (let i = at; i < at + n; i += 1) sum += shares[i];
      at += n;
      const level = Math.min(4, Math.floor((5 * sum) / n));
      found.push({ start: index, end: index + segment.length, level });
    }
    return found;
  }

  /**
   * The fewest insertions, deletions and substitutions of words; null where there would be too much to align. Where a
   * substitution costs 2, as many words as can be stay as they are.
   */
  function edits(ours, theirs, substitution = 1) {
    const [n, m] = [ours.length, theirs.length];
    if ((n + 1) * (m + 1) > MOST_CELLS) return null;
    const width = m + 1;
    const cost = new Uint32Array((n + 1) * width);
    for (let j = 1; j <= m; j += 1) cost[j] = j;
    for (let i = 1; i <= n; i += 1) {
      cost[i * width] = i;
      for (let j = 1; j <= m; j += 1) {
        const at = i * width + j;
        const change = ours[i - 1].key === theirs[j - 1].key ? 0 : substitution;
        cost[at] = Math.min(cost[at - width - 1] + change, cost[at - width] + 1, cost[at - 1] + 1);
      }
    }
    return traced(ours, theirs, cost, width, substitution);
  }

  function traced(ours, theirs, cost, width, substitution) {
    const steps = [];
    let [i, j] = [ours.length, theirs.length];
    while (i || j) {
      const here = cost[i * width + j];
      const same = i && j && ours[i - 1].key === theirs[j - 1].key;
      if (i && j && cost[(i - 1) * width + j - 1] + (same ? 0 : substitution) === here) {
        i -= 1;
        j -= 1;
        steps.push({ kind: same ? "match" : "substitution", ours: i, theirs: j });
      } else if (i && cost[(i - 1) * width + j] + 1 === here) {
        i -= 1;
        steps.push({ kind: "deletion", ours: i, theirs: null });
      } else {
        j -= 1;
        steps.push({ kind: "insertion", ours: null, theirs: j });
      }
    }
    return steps.reverse();
  }

  const STEPS = { m: "match", s: "substitution", i: "insertion", d: "deletion" };

  /**
   * The edits that a metric counted itself, unpacked: shifts, and steps through the words that these have moved. Null
   * where the words are not those of the metric.
   */
  function unpacked([best, shifts, packed], n, lengths) {
    const order = [...Array(n).keys()];
    const moved = new Map();
    shifts.forEach(([start, length, place], number) => {
      const block = order.splice(start, length);
      for (const word of block) moved.set(word, number + 1);
      order.splice(place, 0, ...block);
    });
    const steps = [];
    let [i, j] = [0, 0];
    for (const [, letter, times] of packed.matchAll(/([msid])(\d*)/g)) {
      for (let t = 0; t < Number(times || 1); t += 1) {
        const ours = letter === "i" ? null : order[i++];
        const theirs = letter === "d" ? null : j++;
        steps.push({ kind: STEPS[letter], ours, theirs });
      }
    }
    return i === n && j === lengths[best] ? { best, steps, moved, shifts: shifts.length } : null;
  }

  /** The places of words that a metric matched, unpacked: three letters each (compare_data.py). */
  function places(packed) {
    const found = [];
    let at = 0;
    for (let i = 0; i < packed.length; i += 3) {
      const start = at + parseInt(packed[i], 36);
      at = start + parseInt(packed[i + 1], 36);
      found.push({ start, end: at, kind: packed[i + 2] });
    }
    return found;
  }

  const isShort = (...texts) => texts.every((text) => text.length <= MOST_CHARACTERS);

  return { words, wordLevels, characterLevels, characterRuns, edits, unpacked, places, isShort };
})();
