// The memory of a module of WebAssembly: how strings go in, and how answers come out.
//
// Not here: what the functions are called, and what their answers mean (`engine.js`).

/** The answer is the first text of the call. */
const SAME = -1;
/** The texts are refused. */
const FAILED = -2;
/** There is no such value. */
const NONE = -3;
/** The length of a text that is not there. */
const ABSENT = 0xffffffff;

/**
 * The length up to which a string is copied unit by unit. In a browser, a call of TextEncoder costs more than a short loop;
 * in Node and in Deno, it costs less.
 */
const LOOP = globalThis.navigator?.userAgent?.startsWith('Mozilla/') ? 512 : 0;

/** The length of a string for which there is always room. */
const SHORT = 512;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the functions of an instance that write texts, call a function, and read the answer. */
export function memoryOf(instance) {
  const wasm = instance.exports;
  const { narrow } = wasm;
  const unitsAt = wasm.units();
  const numbersAt = wasm.numbers() >> 2;
  let bytes, units, words, start;

  // Memory that grows gets another buffer, and the views of the old buffer are empty. The room for texts moves alone.
  function view() {
    const place = wasm.room(3 * SHORT);
    const { buffer } = wasm.memory;
    bytes = new Uint8Array(buffer);
    units = new Uint16Array(buffer, unitsAt, SHORT);
    words = new Uint32Array(buffer);
    start = new Uint8Array(buffer, place, 3 * SHORT);
  }
  view();

  /** Writes a string as UTF-8 at a byte of the room, and returns its length in bytes. */
  function put(text, at) {
    const { length } = text;
    if (length > SHORT || at > 0) return putLong(text, at);
    if (start.length === 0) view();
    if (length > LOOP) return encoder.encodeInto(text, start).written;
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
    return narrow(length);
  }

  // A string has at most three bytes a unit. Nearly all strings have less, so the first try has room for a byte a unit.
  function putLong(text, at) {
    let [read, written] = [0, 0];
    while (read < text.length) {
      const left = text.length - read;
      const end = at + written + (written === 0 ? left : 3 * left);
      const place = wasm.room(end);
      view();
      const part = encoder.encodeInto(read === 0 ? text : text.slice(read), bytes.subarray(place + at + written, place + end));
      read += part.read;
      written += part.written;
    }
    return written;
  }

  /** The first numbers of the last call. */
  function numbers(count) {
    if (words.length === 0) view();
    return words.slice(numbersAt, numbersAt + count);
  }

  /** The offsets of a text of `length` units that was parsed last, in the layout of `components.js`. */
  function offsets(length) {
    if (words.length === 0) view();
    return [
      0,
      words[numbersAt],
      words[numbersAt + 1],
      words[numbersAt + 2],
      words[numbersAt + 3],
      words[numbersAt + 4],
      words[numbersAt + 5],
      words[numbersAt + 6],
      length,
    ];
  }

  /** The output as `count` numbers of 32 bits. */
  function words32(count) {
    const octets = output(4 * count).slice();
    return new Uint32Array(octets.buffer);
  }

  function output(length) {
    if (bytes.length === 0) view();
    const place = wasm.output();
    return bytes.subarray(place, place + length);
  }

  /** The last error: its message, and its place, if there is one. */
  function error() {
    const text = decoder.decode(output(wasm.error()));
    const end = text.indexOf('\n');
    const rest = text.slice(end + 1);
    if (end === 0) return { message: rest };
    const [kind, component, ...offsets] = text.slice(0, end).split(' ');
    const [from, to, suggestionFrom, suggestionTo, length] = offsets.map(Number);
    const suggestion =
      length === undefined ? null : { start: suggestionFrom, end: suggestionTo, text: rest.slice(0, length) };
    return { message: rest.slice(length ?? 0), place: { kind, component, start: from, end: to, suggestion } };
  }

  /** Calls a function with texts, and returns its answer: a string, `null`, or `undefined` if it refuses the texts. */
  function call(id, texts) {
    const lengths = [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT];
    let end = 0;
    texts.forEach((text, i) => {
      if (text === null) return;
      lengths[i] = put(text, end);
      end += lengths[i];
    });
    if (words.length === 0) view();
    words.set(lengths, numbersAt);
    const length = wasm.call(id);
    if (length === SAME) return texts[0];
    if (length === NONE) return null;
    if (length === FAILED) return undefined;
    return decoder.decode(output(length));
  }

  return { wasm, put, call, numbers, offsets, words: words32, error };
}
