// The memory of a module of WebAssembly: how strings go in, and how answers come out.
//
// Not here: what the functions are called, and what their answers mean (`engine.js`).

/** The answer is the first text of the call. */
const SAME = -1;
/** The texts are refused. */
const FAILED = -2;
/** There is no such value. */
const NONE = -3;
/** A text is not a name that the function knows. */
const UNKNOWN = -4;
/** The answer is longer than 2 GB. */
const TOO_LONG = -5;
/** The most texts of a call. */
const TEXTS = 16;
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

/**
 * Returns the functions that write texts, call a function of a module, and read the answer. The source is what
 * `WebAssembly.instantiate` makes of the bytes of a module.
 */
export function memoryOf({ module, instance }) {
  let wasm, parseText, narrow, unitsAt, numbersAt, bytes, units, words, start;

  function begin(begun) {
    wasm = begun.exports;
    ({ parse: parseText, narrow } = wasm);
    unitsAt = wasm.units();
    numbersAt = wasm.numbers() >> 2;
    view();
  }

  // Memory that grows gets another buffer, and the views of the old buffer are empty. The room for texts moves alone.
  function view() {
    const place = wasm.room(3 * SHORT) >>> 0;
    const { buffer } = wasm.memory;
    bytes = new Uint8Array(buffer);
    units = new Uint16Array(buffer, unitsAt, SHORT);
    words = new Uint32Array(buffer);
    start = new Uint8Array(buffer, place, 3 * SHORT);
  }

  begin(instance);

  /** The error for what a call throws. A module whose memory is full is of no more use, so another one begins. */
  function broken(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    begin(new WebAssembly.Instance(module));
    return new RangeError('the text, or what is made of it, is larger than the memory of a module', { cause: error });
  }

  /** Writes a string as UTF-8 at a byte of the room, and returns its length in bytes. */
  function put(text, at) {
    const { length } = text;
    if (length > SHORT || at > 0) return putLong(text, at);
    if (start.length === 0) view();
    if (length > LOOP) return encoder.encodeInto(text, start).written;
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
    return narrow(length);
  }

  // A string has at most three bytes a unit. Nearly all strings have less, so the first try has room for a byte a unit, and
  // for one character more: each try writes a character at least.
  function putLong(text, at) {
    let [read, written] = [0, 0];
    while (read < text.length) {
      const left = text.length - read;
      const end = at + written + (read === 0 ? left + 3 : 3 * left);
      const place = wasm.room(end) >>> 0;
      view();
      const part = encoder.encodeInto(
        read === 0 ? text : text.slice(read),
        bytes.subarray(place + at + written, place + end),
      );
      read += part.read;
      written += part.written;
    }
    return written;
  }

  /**
   * Parses a text by the rule with a number. Returns the offsets in the layout of `components.js`; `null` if the text does not
   * match.
   */
  function parse(rule, text) {
    try {
      const { length } = text;
      if (parseText(rule, put(text, 0), length) === 0) return null;
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
    } catch (error) {
      throw broken(error);
    }
  }

  /** Tells whether a text matches the rule with a number. */
  function isValid(rule, text) {
    try {
      return wasm.is_valid(rule, put(text, 0)) !== 0;
    } catch (error) {
      throw broken(error);
    }
  }

  /** Counts the lines of a text, and those that match the rule with a number. */
  function count(rule, text) {
    try {
      wasm.count(rule, put(text, 0));
      if (words.length === 0) view();
      return [words[numbersAt], words[numbersAt + 1]];
    } catch (error) {
      throw broken(error);
    }
  }

  /** Parses the lines of a text by the rule with a number. Returns `width` numbers for each line. */
  function rows(rule, text, width) {
    try {
      const lines = wasm.rows(rule, put(text, 0)) >>> 0;
      return new Uint32Array(output(4 * width * lines).slice().buffer);
    } catch (error) {
      throw broken(error);
    }
  }

  function output(length) {
    if (bytes.length === 0) view();
    const place = wasm.output() >>> 0;
    return bytes.subarray(place, place + length);
  }

  /** The last error: its message, and its place, if there is one. */
  function error() {
    const text = decoder.decode(output(wasm.error()));
    const end = text.indexOf('\n');
    const rest = text.slice(end + 1);
    if (end === 0) return { message: rest, place: null };
    const [kind, component, ...offsets] = text.slice(0, end).split(' ');
    const [from, to, suggestionFrom, suggestionTo, length] = offsets.map(Number);
    const suggestion =
      length === undefined ? null : { start: suggestionFrom, end: suggestionTo, text: rest.slice(0, length) };
    return { message: rest.slice(length ?? 0), place: { kind, component, start: from, end: to, suggestion } };
  }

  /**
   * Calls a function with texts, and returns its answer: a string, `null`, or `undefined` if it refuses the texts. A text that
   * is `null` is not there. Throws `TypeError` for a name that the function does not know; `called` is how the caller knows the
   * function.
   */
  function call(id, texts, called) {
    try {
      const lengths = new Uint32Array(TEXTS).fill(ABSENT);
      let end = 0;
      texts.forEach((text, i) => {
        if (text !== null) end += lengths[i] = put(text, end);
      });
      if (words.length === 0) view();
      words.set(lengths, numbersAt);
      const length = wasm.call(id);
      if (length === SAME) return texts[0];
      if (length === NONE) return null;
      if (length === UNKNOWN) throw new TypeError(`${called}: ${error().message}`);
      if (length === FAILED) return undefined;
      if (length === TOO_LONG) throw new RangeError('the answer is longer than a string can be');
      return decoder.decode(output(length));
    } catch (error) {
      throw broken(error);
    }
  }

  return { parse, isValid, count, rows, call, error };
}
