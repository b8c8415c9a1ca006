// Times of the package beside those of `URL`, in one run on the same lines. It runs in Node and in a browser.
//
// A time is the least of several rounds, in nanoseconds a line. The ratio is that of the least times. Firefox rounds its clock
// to a millisecond, so each round takes many of them.

/** How often each loop runs. */
const ROUNDS = 9;

/** The least time of a round, in milliseconds. */
const LEAST_TIME = 20;

/** Returns the least time of each function of `loops` for all lines, in nanoseconds a line. The rounds take turns. */
function least(loops, lines) {
  const times = Object.fromEntries(Object.keys(loops).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, loop] of Object.entries(loops)) {
      const start = performance.now();
      let [count, end] = [0, start];
      while (end - start < LEAST_TIME) {
        loop();
        count += 1;
        end = performance.now();
      }
      times[name] = Math.min(times[name], ((end - start) * 1e6) / (count * lines));
    }
  }
  return times;
}

/** Returns the times of a text whose lines are IRIs and URLs: rows with a name, our time, and that of `URL`. */
export function speed({ Iri, countLines }, text) {
  const lines = text.split('\n').filter((line) => line !== '' && URL.canParse(line) && Iri.isValid(line));
  const whole = lines.join('\n');
  // What is read must be used, so that no engine leaves it out.
  let sum = 0;
  const times = least(
    {
      'URL parse': () => lines.forEach((line) => (sum += new URL(line) === null)),
      parse: () => lines.forEach((line) => (sum += Iri.parse(line) === null)),
      'URL host and path': () =>
        lines.forEach((line) => {
          const url = new URL(line);
          sum += url.host.length + url.pathname.length;
        }),
      'host and path': () =>
        lines.forEach((line) => {
          const iri = Iri.parse(line);
          sum += (iri.host?.length ?? 0) + iri.path.length;
        }),
      'one string to a count': () => (sum += countLines(whole).valid),
    },
    lines.length,
  );
  if (countLines(whole).valid !== lines.length) throw new Error('the count of lines is another');
  const row = (name, of) => ({ name, ours: times[name], url: times[of], ratio: times[of] / times[name] });
  return {
    lines: lines.length,
    used: sum > 0,
    rows: [
      row('parse', 'URL parse'),
      row('host and path', 'URL host and path'),
      row('one string to a count', 'URL parse'),
    ],
  };
}
