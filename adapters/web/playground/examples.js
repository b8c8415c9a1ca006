// The examples: addresses of each kind, script and attack by hand, and of each error and finding from the engine.

/** The first text of the page. */
export const FIRST = 'https://user:secret@例え.example:443/a/./b/../é?q=1#top';

/** Groups of examples: a name, and what to type. */
export const BY_HAND = [
  [
    'Addresses',
    [
      ['All components', { text: FIRST }],
      ['A relative reference with its base', { text: '../g?y#s', base: 'http://a/b/c/d;p?q' }],
      ['A URN', { text: 'urn:isbn:0451450523' }],
      ['An IPv6 address', { text: 'http://[2001:DB8:0:0::1]:8080/' }],
      ['Two spellings to compare', { text: 'HTTP://Example.org:80/%7Eann/./', other: 'http://example.org/~ann/' }],
      [
        'A list',
        {
          text: 'http://example.org/b?x=1\nhttps://例え.example/\nhttp://[::1\nmailto:ann@example.org\nhttp://example.org/a|b\nurn:isbn:0451450523',
        },
      ],
      [
        'A text',
        {
          text: 'Read https://example.org/wiki/IRI_(standard), or\nask ann@example.org. More is at www.example.com/ä.',
          reads: 'links',
        },
      ],
    ],
  ],
  [
    'Scripts',
    [
      ['Arabic', { text: 'http://مثال.إختبار/صفحة?بحث=نعم' }],
      ['Armenian', { text: 'http://օրինակ.example/էջ' }],
      ['Bengali', { text: 'http://উদাহরণ.example/পাতা' }],
      ['Chinese', { text: 'http://例子.测试/首页' }],
      ['Cyrillic', { text: 'http://пример.испытание/страница' }],
      ['Devanagari', { text: 'http://उदाहरण.परीक्षा/मुख्य' }],
      ['Ethiopic', { text: 'http://ምሳሌ.example/ገጽ' }],
      ['Georgian', { text: 'http://მაგალითი.example/გვერდი' }],
      ['Greek', { text: 'http://παράδειγμα.δοκιμή/σελίδα' }],
      ['Gujarati', { text: 'http://ઉદાહરણ.example/પાનું' }],
      ['Gurmukhi', { text: 'http://ਉਦਾਹਰਨ.example/ਪੰਨਾ' }],
      ['Hebrew', { text: 'http://דוגמה.טעסט/דף?מספר=12' }],
      ['Japanese', { text: 'http://例え.テスト/メインページ' }],
      ['Kannada', { text: 'http://ಉದಾಹರಣೆ.example/ಪುಟ' }],
      ['Khmer', { text: 'http://ឧទាហរណ៍.example/ទំព័រ' }],
      ['Korean', { text: 'http://실례.테스트/대문' }],
      ['Lao', { text: 'http://ຕົວຢ່າງ.example/ໜ້າ' }],
      ['Latin with accents', { text: 'http://bücher.example/straße/œuvre' }],
      ['Malayalam', { text: 'http://ഉദാഹരണം.example/താൾ' }],
      ['Myanmar', { text: 'http://ဥပမာ.example/စာမျက်နှာ' }],
      ['Sinhala', { text: 'http://උදාහරණය.example/පිටුව' }],
      ['Tamil', { text: 'http://உதாரணம்.பரிட்சை/பக்கம்' }],
      ['Telugu', { text: 'http://ఉదాహరణ.example/పేజీ' }],
      ['Thaana', { text: 'http://މިސާލު.example/ޞަފްޙާ' }],
      ['Thai', { text: 'http://ตัวอย่าง.example/หน้า' }],
      ['Tibetan', { text: 'http://དཔེ.example/ཤོག' }],
    ],
  ],
  [
    'Attacks',
    [
      ['A name before the host', { text: 'https://www.bank.example@evil.example/' }],
      ['A Cyrillic а in a Latin name', { text: 'https://b\u0430nk.example/' }],
      ['A reversed file name', { text: 'https://example.org/\u202Egnp.exe' }],
      ['A character without a shape', { text: 'https://exam\u200Bple.org/' }],
      ['A slash that is not a slash', { text: 'https://bank.example\u2044login.evil.example/' }],
      ['A backslash before the host', { text: 'https://evil.example\\@bank.example/' }],
      ['An IPv4 address in hexadecimal', { text: 'http://0x7f.1/' }],
      ['Encoded dots', { text: 'http://example.org/static/%2e%2e/%2e%2e/etc/passwd' }],
      ['A line break in a scheme', { text: 'java\nscript:alert(1)', reads: 'address' }],
      ['Too few slashes', { text: 'https:evil.example/' }],
      ['Overlong UTF-8', { text: 'http://example.org/%C0%AE%C0%AE/' }],
      ['Markup', { text: '<img src=x onerror=alert(1)>' }],
    ],
  ],
];

const RULES = ['iri-reference', 'iri', 'absolute-iri', 'irelative-ref', 'uri-reference'];
const PROFILES = ['strict', 'rfc', 'rdf', 'crawler', 'json-schema'];

/** Returns the groups of the errors and the findings that have an example. The rule or the profile is the first that reports it. */
export function ofEngine(engine) {
  const { errors, findings } = engine.codes();
  const ofError = errors.flatMap((code) => {
    const { example } = engine.explain(code);
    const rule = RULES.find((rule) => engine.violations(example, rule).some(({ kind }) => kind === code));
    return example === '' || rule === undefined ? [] : [[code, { text: example, rule, reads: 'address' }]];
  });
  const ofFinding = findings.flatMap((code) => {
    const { example } = engine.explain(code);
    if (example === '' || !engine.isValid(example, 'iri-reference')) return [];
    const profile = PROFILES.find((profile) => engine.lint(example, profile).some((finding) => finding.code === code));
    return profile === undefined ? [] : [[code, { text: example, profile, reads: 'address' }]];
  });
  return [
    ['Errors', ofError],
    ['Findings', ofFinding],
  ];
}
