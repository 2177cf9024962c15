#!/usr/bin/env perl
# Writes src/formats/unicode_tables.inc from the Unicode data that perl carries: scripts, general categories, case.
#
#   tools/gen_unicode.pl > src/formats/unicode_tables.inc
#
# Characters younger than Unicode 13 are left out, so that every perl from 5.32 on writes the same file. A table of ranges
# holds where each begins, << 8, and its value; a range ends where the next begins. Values: the positions in the lists below.
use strict;
use warnings;
use Unicode::UCD qw(prop_invmap);

my $YOUNGEST = 13;
my @CATEGORIES = qw(Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co);
# By ICU's numbers of scripts; 103 is "Unknown".
my %SCRIPTS = map { split /=/ } qw(
    Common=0 Inherited=1 Arabic=2 Armenian=3 Bengali=4 Bopomofo=5 Cherokee=6 Coptic=7 Cyrillic=8 Deseret=9 Devanagari=10
    Ethiopic=11 Georgian=12 Gothic=13 Greek=14 Gujarati=15 Gurmukhi=16 Han=17 Hangul=18 Hebrew=19 Hiragana=20 Kannada=21
    Katakana=22 Khmer=23 Lao=24 Latin=25 Malayalam=26 Mongolian=27 Myanmar=28 Ogham=29 Old_Italic=30 Oriya=31 Runic=32
    Sinhala=33 Syriac=34 Tamil=35 Telugu=36 Thaana=37 Thai=38 Tibetan=39 Canadian_Aboriginal=40 Yi=41 Tagalog=42 Hanunoo=43
    Buhid=44 Tagbanwa=45 Braille=46 Cypriot=47 Limbu=48 Linear_B=49 Osmanya=50 Shavian=51 Tai_Le=52 Ugaritic=53 Buginese=55
    Glagolitic=56 Kharoshthi=57 Syloti_Nagri=58 New_Tai_Lue=59 Tifinagh=60 Old_Persian=61 Balinese=62 Batak=63 Brahmi=65
    Cham=66 Egyptian_Hieroglyphs=71 Pahawh_Hmong=75 Old_Hungarian=76 Javanese=78 Kayah_Li=79 Lepcha=82 Linear_A=83 Mandaic=84
    Meroitic_Hieroglyphs=86 Nko=87 Old_Turkic=88 Old_Permic=89 Phags_Pa=90 Phoenician=91 Miao=92 Vai=99 Cuneiform=101
    Unknown=103 Carian=104 Tai_Tham=106 Lycian=107 Lydian=108 Ol_Chiki=109 Rejang=110 Saurashtra=111 SignWriting=112
    Sundanese=113 Meetei_Mayek=115 Imperial_Aramaic=116 Avestan=117 Chakma=118 Kaithi=120 Manichaean=121
    Inscriptional_Pahlavi=122 Psalter_Pahlavi=123 Inscriptional_Parthian=125 Samaritan=126 Tai_Viet=127 Bamum=130 Lisu=131
    Old_South_Arabian=133 Bassa_Vah=134 Duployan=135 Elbasan=136 Grantha=137 Mende_Kikakui=140 Meroitic_Cursive=141
    Old_North_Arabian=142 Nabataean=143 Palmyrene=144 Khudawadi=145 Warang_Citi=146 Mro=149 Nushu=150 Sharada=151
    Sora_Sompeng=152 Takri=153 Tangut=154 Anatolian_Hieroglyphs=156 Khojki=157 Tirhuta=158 Caucasian_Albanian=159 Mahajani=160
    Ahom=161 Hatran=162 Modi=163 Multani=164 Pau_Cin_Hau=165 Siddham=166 Adlam=167 Bhaiksuki=168 Marchen=169 Newa=170
    Osage=171 Masaram_Gondi=175 Soyombo=176 Zanabazar_Square=177 Dogra=178 Gunjala_Gondi=179 Makasar=180 Medefaidrin=181
    Hanifi_Rohingya=182 Sogdian=183 Old_Sogdian=184 Elymaic=185 Nyiakeng_Puachue_Hmong=186 Nandinagari=187 Wancho=188
    Chorasmian=189 Dives_Akuru=190 Khitan_Small_Script=191 Yezidi=192);

# The value of a property for each code point.
sub values_of {
    my ($starts, $map) = prop_invmap($_[0]);
    my @all;
    for my $i (0 .. $#$starts) {
        my $end = $i < $#$starts ? $starts->[$i + 1] : 0x110000;
        @all[$starts->[$i] .. $end - 1] = ($map->[$i]) x ($end - $starts->[$i]) if $starts->[$i] < 0x110000;
    }
    return \@all;
}

my $age = values_of("Age");
my @young = map { $_ eq "Unassigned" ? 0 : $_ > $YOUNGEST } @$age;

sub print_rows {
    my ($type, $name, @rows) = @_;
    print "static const $type $name\[] = {\n";
    my $line = "   ";
    for my $row (@rows) {
        if (length($line) + length($row) + 2 > 120) { print "$line\n"; $line = "   "; }
        $line .= " $row,";
    }
    print "$line\n};\n";
}

sub print_ranges {
    my ($name, $property, $number, $otherwise) = @_;
    my ($all, @rows, $last) = (values_of($property));
    for my $c (0 .. 0x10ffff) {
        my $value = $young[$c] ? $otherwise : $number->{$all->[$c]};
        die "$property of $c" unless defined $value;
        push @rows, sprintf "0x%x", $c << 8 | $value if !defined $last || $value != $last;
        $last = $value;
    }
    print_rows("uint32_t", $name, @rows);
}

# {first, last, step, what to add} for the characters that change alone; {from, to, to, to} for the others.
sub print_case {
    my ($name, $simple, $full) = @_;
    my (%to, @rows, @lists);
    my ($starts, $map) = prop_invmap($simple);
    for my $i (0 .. $#$starts) {
        next if ref $map->[$i] || !$map->[$i];
        $to{$_} = $map->[$i] + $_ - $starts->[$i] for $starts->[$i] .. $starts->[$i + 1] - 1;
    }
    my @from = grep { !$young[$_] } sort { $a <=> $b } keys %to;
    while (@from) {
        my $first = my $last = shift @from;
        my ($step, $add) = (0, $to{$first} - $first);
        while (@from && $to{$from[0]} - $from[0] == $add && $from[0] - $last <= 2 && ($step == 0 || $from[0] - $last == $step)) {
            $step = $from[0] - $last;
            $last = shift @from;
        }
        push @rows, sprintf "{0x%x, 0x%x, %d, %d}", $first, $last, $step || 1, $add;
    }
    print_rows("struct case_range", $name, @rows);
    ($starts, $map) = prop_invmap($full);
    for my $i (0 .. $#$starts) {
        next unless ref $map->[$i];
        push @lists, sprintf "{0x%x, {%s}}", $starts->[$i], join ", ", map { sprintf "0x%x", $_ } @{$map->[$i]};
    }
    print_rows("struct case_list", "${name}_lists", @lists);
}

binmode STDOUT;
print "/* Made by tools/gen_unicode.pl from the Unicode character database, version $YOUNGEST. */\n";
print "static const char categories[][3] = {" . join(", ", map { "\"$_\"" } @CATEGORIES) . "};\n";
print "static const struct script_name script_names[] = {\n";
print "    {\"$_\", $SCRIPTS{$_}},\n" for sort keys %SCRIPTS;
print "};\n";
my %other = map { $_ => 103 } grep { !exists $SCRIPTS{$_} } @{(prop_invmap("Script"))[1]};
print_ranges("script_ranges", "Script", {%SCRIPTS, %other}, 103);
print_ranges("category_ranges", "gc", {map { $CATEGORIES[$_] => $_ } 0 .. $#CATEGORIES}, 0);
print_case("lower_case", "slc", "lc");
print_case("upper_case", "suc", "uc");
