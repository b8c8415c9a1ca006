# An adapter for URI of Perl. protocol.md says what it reads and writes. What the module does not offer is unsupported.
use strict;
use warnings;
use JSON::PP;
use URI;

# URI reads any text, and escapes what may not stand in a URI: it says of no text that it is invalid.
sub answer {
    my ($ask) = @_;
    my $op = $ask->{op};
    if ($op eq 'resolve' && $ask->{strict} && $ask->{kind} eq 'uri') {
        my $text = eval { URI->new_abs($ask->{reference}, $ask->{base})->as_string };
        return defined $text ? { result => $text } : { error => "$@" };
    }
    if ($op eq 'normalize' && $ask->{ladder} eq 'scheme' && $ask->{kind} eq 'uri') {
        my $text = eval { URI->new($ask->{input})->canonical->as_string };
        return defined $text ? { result => $text } : { error => "$@" };
    }
    if ($op eq 'compare' && $ask->{ladder} eq 'scheme' && $ask->{kind} eq 'uri') {
        return { equal => URI::eq($ask->{a}, $ask->{b}) ? JSON::PP::true : JSON::PP::false };
    }
    if ($op eq 'from_uri') {
        my $text = eval { URI->new($ask->{input})->as_iri };
        return defined $text ? { result => $text } : { error => "$@" };
    }
    return { unsupported => JSON::PP::true };
}

$| = 1;
my $json = JSON::PP->new->ascii->canonical;
my $hello = { name => 'URI', version => "$URI::VERSION", language => 'Perl', standards => ['RFC 3986'] };
print $json->encode({ hello => $hello }), "\n";
while (my $line = <STDIN>) {
    my $ask = $json->decode($line);
    print $json->encode({ seq => $ask->{seq}, %{ answer($ask) } }), "\n";
}
