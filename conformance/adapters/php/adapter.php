<?php
// An adapter for parse_url of PHP. protocol.md says what it reads and writes. What the function does not offer is
// unsupported.

function answer(array $ask): array
{
    $kind = $ask['kind'] ?? '';
    if ($ask['op'] !== 'parse' || !isset($ask['input']) || !in_array($kind, ['uri', 'uri-reference'], true)) {
        return ['unsupported' => true];
    }
    $found = parse_url($ask['input']);
    if ($found === false || $kind === 'uri' && !isset($found['scheme'])) {
        return ['valid' => false];
    }
    $components = ['path' => $found['path'] ?? ''];
    foreach (['scheme', 'host', 'query', 'fragment'] as $name) {
        $components[$name] = $found[$name] ?? null;
    }
    return ['valid' => true, 'components' => $components];
}

function put(array $object): void
{
    fwrite(STDOUT, json_encode($object, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
}

$hello = ['name' => 'parse_url', 'version' => PHP_VERSION, 'language' => 'PHP', 'standards' => ['RFC 3986']];
put(['hello' => $hello]);
while (($line = fgets(STDIN)) !== false) {
    $ask = json_decode($line, true);
    put(['seq' => $ask['seq']] + answer($ask));
}
