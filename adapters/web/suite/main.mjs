// The command: runs the links in the browsers and the program, and compares what came with the record, or renews it.
//
// It fails if a link is lost, if a control is missing, or if a row differs from the record.

import { parseArgs } from 'node:util';

import { browse } from './browse.mjs';
import { answers, version } from './expected.mjs';
import { verdict } from './judge.mjs';
import { links } from './links.mjs';
import { byGuidelines, byRfc, partOf, REFUSED } from './parts.mjs';
import { columns, NONE, readRecord, shown, writeRecord } from './record.mjs';
import { writeReport } from './report.mjs';

const usage = `adapters/web/suite/run [--browser chromium|firefox] [--sample N] [--record] [--report] [--lose ID]
  --browser  one browser instead of both
  --sample   one link in N, and all controls
  --record   write the record and its page, instead of comparing with the record
  --report   write the page of the record, and run nothing
  --lose     make the server forget this link, which must make the command fail
`;
// Seconds after which a browser is stopped.
const LIMIT = { chromium: 360, firefox: 720 };

const isControl = ({ sample }) => sample === 'control';

async function main() {
  const { values } = parseArgs({
    options: {
      browser: { type: 'string' },
      sample: { type: 'string', default: '1' },
      record: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      lose: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const step = Number(values.sample);
  const names = values.browser ? [values.browser] : Object.keys(LIMIT);
  if (values.help) return void process.stdout.write(usage);
  if (!names.every((name) => name in LIMIT) || !Number.isInteger(step) || step < 1 || (values.record && step > 1)) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const before = await readRecord();
  if (values.report) return writeReport(before.rows, before.made);

  const chosen = links().filter((link, at) => isControl(link) || at % step === 0);
  const rows = rowsOf(chosen, before.rows);
  const made = { ...before.made, links: rows.size, program: version() };
  let failed = false;
  for (const name of names) {
    const { version, seconds, results } = await browse(name, chosen, {
      limit: LIMIT[name],
      lost: values.lose,
    });
    made[name] = { version, date: new Date().toISOString().slice(0, 10), seconds };
    for (const link of chosen) rows.get(link.id)[name] = valueOf(link, results.get(link.id));
    failed = summarize(name, chosen, rows, made[name]) || failed;
  }
  for (const link of chosen) {
    const row = rows.get(link.id);
    row.verdict = verdict({ ...link, isExtracted: row.isExtracted }, row);
  }
  if (values.record && failed) console.log('the record stays as it is');
  else if (values.record) {
    await writeRecord(rows, made);
    await writeReport(rows, made);
  } else {
    failed = compare(chosen, rows, before.rows, step === 1) || failed;
  }
  if (failed) process.exitCode = 1;
}

/** Returns a row for each link, by its identifier, with all but the answers of the browsers: these are of the record. */
function rowsOf(chosen, recorded) {
  const own = answers(chosen);
  return new Map(
    chosen.map((link) => {
      const { prepare, toUri, toUriPage, isExtracted } = own.get(link.id);
      const old = recorded.get(link.id);
      return [
        link.id,
        {
          ...link,
          isExtracted,
          vehicle: link.vehicle.name,
          written: shown(link.written),
          chromium: old?.chromium ?? NONE,
          firefox: old?.firefox ?? NONE,
          // A host is mapped by ToASCII, which the RFC allows and the guidelines recommend. The program does it,
          // because UTS #46, which took its place, is not a rule of a few lines.
          rfc3987: (link.part === 'host' ? toUri : byRfc(link)) ?? NONE,
          guidelines2011: (link.part === 'host' ? toUri : byGuidelines(link)) ?? NONE,
          prepare: prepare === undefined ? NONE : shown(prepare),
          to_uri: toUri ?? NONE,
          to_uri_page: toUriPage ?? NONE,
        },
      ];
    }),
  );
}

/** Returns what a browser sent for a link, or why it sent nothing. Two different requests have a space between them. */
function valueOf(link, result) {
  if (!result) return '!lost';
  if (result.blocked) return result.blocked === 'refused' ? REFUSED : `!${result.blocked.replaceAll(' ', '-')}`;
  if (result.href !== undefined) return partOf(link, result);
  return [...new Set(result.requests.map((request) => partOf(link, request)))].sort().join(' ');
}

/** Prints what became of the links in a browser, and returns whether a link is lost or a control is missing. */
function summarize(name, chosen, rows, { version, seconds }) {
  const blocked = new Map();
  for (const link of chosen) {
    const value = rows.get(link.id)[name];
    if (value.startsWith('!')) blocked.set(value, [...(blocked.get(value) ?? []), link]);
  }
  const count = [...blocked.values()].reduce((sum, group) => sum + group.length, 0);
  console.log(`${version}: ${chosen.length} links, ${chosen.length - count} confirmed, ${count} blocked, ${seconds} s`);
  for (const [reason, group] of blocked) {
    const places = [...new Set(group.map(({ format, vehicle }) => `${format} ${vehicle.name}`))];
    console.log(`  ${reason.slice(1)}: ${group.length} (${places.join(', ')})`);
  }
  const controls = chosen.filter(isControl);
  const missing = controls.filter((link) => rows.get(link.id)[name].startsWith('!'));
  console.log(`  controls: ${controls.length - missing.length} confirmed, ${missing.length} missing`);
  const lost = [...(blocked.get('!lost') ?? []), ...(blocked.get('!missing') ?? [])];
  for (const link of new Set([...missing, ...lost])) console.log(`  LOST ${link.id}`);
  return missing.length > 0 || lost.length > 0;
}

/** Prints how the rows differ from the record, and returns whether they do. `isWhole` is whether all links were chosen. */
function compare(chosen, rows, recorded, isWhole) {
  const differences = [];
  for (const { id } of chosen) {
    const row = rows.get(id);
    const old = recorded.get(id);
    if (!old) differences.push(`${id}: not in the record`);
    else
      for (const name of columns)
        if (row[name] !== old[name]) differences.push(`${id}: ${name}: ${old[name]} became ${row[name]}`);
  }
  for (const id of recorded.keys()) {
    if (isWhole && !rows.has(id)) differences.push(`${id}: only in the record`);
  }
  console.log(`differences to the record: ${differences.length}`);
  for (const line of differences.slice(0, 50)) console.log(`  ${line}`);
  return differences.length > 0;
}

try {
  await main();
} catch (error) {
  // A browser that does not start or that ends, a page that is read wrongly, a program that is missing.
  console.error(`adapters/web/suite/run: ${error.message}`);
  process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}
