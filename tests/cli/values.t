Values of --feed: text, files of NumPy, pictures, bytes; what they are converted to, and what is refused.

$ sluice run $DATA/graphs/inputs.pbtxt --feed 'words=["a\u00e9\ud83d\ude00", "\x00\xff", "tab\there", bare]' --fetch words_
words_:0  string [4]
["aé😀", "\u0000\xff", "tab\there", "bare"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'words=["a\u00e9", "\x00\xff", "\xff\xff", "\xffab"]' --fetch words_ --json
{"name":"words_:0","tensor":{"dtype":"string","shape":[4],"value":["aé",{"b64":"AP8="},{"b64":"//8="},{"b64":"/2Fi"}]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'words=["a\u00e9", "\x00\xff", "\xff\xff", "\xffab"]' --fetch words_ --json | python3 -c 'import base64, json, sys; print([v if isinstance(v, str) else base64.b64decode(v["b64"]) for v in json.load(sys.stdin)["tensor"]["value"]])'
['aé', b'\x00\xff', b'\xff\xff', b'\xffab']
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'bytes="\ud800"' --fetch bytes_
sluice: feed bytes: none of \" \\ \n \t \r \u0000 \x00 at character 2 of '"\ud800"'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'bytes="\q"' --fetch bytes_
sluice: feed bytes: none of \" \\ \n \t \r \u0000 \x00 at character 2 of '"\q"'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'wave=[1, -2j, 1.5+2j, (0.5-1j)]' --fetch wave_
wave_:0  complex64 [4]
[(1+0j), (0-2j), (1.5+2j), (0.5-1j)]
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'wave=[1+2]' --fetch wave_
sluice: feed wave: a j is wanted at character 5 of '[1+2]'
? 1
$ printf 'one\0two\377' > bytes.bin; sluice run $DATA/graphs/inputs.pbtxt --feed bytes=@bytes.bin --fetch bytes_
bytes_:0  string []
"one\u0000two\xff"
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'words=[@bytes.bin, "@bytes.bin", @bytes.bin ]' --fetch words_
words_:0  string [3]
["one\u0000two\xff", "@bytes.bin", "one\u0000two\xff"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=@bytes.bin --fetch words_
sluice: feed words: the input takes string [?], the value is string []
sluice: for a list of one: --feed 'words=[VALUE]'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=[@missing.bin] --fetch words_
sluice: missing.bin: No such file or directory
sluice: feed words: the file cannot be read at character 14 of '[@missing.bin]'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed bytes=bytes.bin --fetch bytes_
sluice: feed bytes: 'bytes.bin' is fed as text; @bytes.bin feeds what is in that file
bytes_:0  string []
"bytes.bin"
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=bytes.bin --fetch count_
sluice: feed count: no whole number at character 1 of 'bytes.bin'
sluice: 'bytes.bin' is a file: FILE.npy and pictures are fed as arrays, @bytes.bin as bytes
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed pairs=@bytes.bin --fetch pairs_ --json
{"name":"pairs_:0","tensor":{"dtype":"int16","shape":[2,2],"value":[[28271,101],[30580,-145]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=@bytes.bin --fetch image_
sluice: feed image: the 8 bytes of bytes.bin are no float [?,2,4,3]
? 1
$ python3 -c 'import struct; \
npy = lambda name, descr, data, shape: open(name + ".npy", "wb").write( \
    b"\x93NUMPY\1\0\x76\0" + str({"descr": descr, "fortran_order": False, "shape": shape}).encode().ljust(117) + b"\n" + data); \
npy("whole", "<i8", struct.pack("<3q", 1, -2, 2147483647), (3,)); \
npy("large", "<i8", struct.pack("<2q", 1, 2147483648), (2,)); \
npy("halves", "<f8", struct.pack("<2d", 0.5, -1.25), (2,)); \
npy("tenths", "<f8", struct.pack("<2d", 0.5, 0.1), (2,)); \
npy("odd", "<i8", struct.pack("<2q", 16777216, 16777217), (2,)); \
npy("square", "<f4", struct.pack("<4f", 1, 2, 3, 4), (2, 2))'
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=whole.npy --fetch count_ --json
{"name":"count_:0","tensor":{"dtype":"int32","shape":[3],"value":[1,-2,2147483647]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=large.npy --fetch count_
sluice: feed count: the input takes int32, the file holds int64: element 1, 2147483648, is out of the range of int32
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=large.npy --fetch count_ --cast
sluice: feed count: the input takes int32, the file holds int64: element 1, 2147483648, is out of the range of int32
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=halves.npy --fetch real_ --json
{"name":"real_:0","tensor":{"dtype":"float","shape":[2],"value":[0.5,-1.25]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=tenths.npy --fetch real_
sluice: feed real: the input takes float, the file holds double: element 1, 0.1, is not exact as float; --cast rounds it
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=tenths.npy --fetch real_ --cast
real_:0  float [2]
[0.5, 0.1]
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=odd.npy --fetch real_
sluice: feed real: the input takes float, the file holds int64: element 1, 16777217, is not exact as float; --cast rounds it
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=tenths.npy --fetch count_
sluice: feed count: the input takes int32, the file holds double: element 0, 0.5, is not exact as int32; --cast rounds it
? 1
$ python3 -c 'import struct; open("brain.npy", "wb").write(b"\x93NUMPY\1\0\x76\0" + \
    b"{\"descr\": \"<V2\", \"fortran_order\": False, \"shape\": (2,)}".ljust(117) + b"\n" + struct.pack("<2H", 0x3fc0, 0xc000))'
$ sluice run $DATA/graphs/inputs.pbtxt --feed brain=brain.npy --fetch brain_ --fetch brain_=out.npy; cmp <(tail -c 4 brain.npy) <(tail -c 4 out.npy) && grep -ao '<V2' out.npy
brain_:0  bfloat16 [2]
[1.5, -2]
<V2
$ sluice run $DATA/graphs/inputs.pbtxt --feed brain=halves.npy --fetch brain_ --json
{"name":"brain_:0","tensor":{"dtype":"bfloat16","shape":[2],"value":[0.5,-1.25]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'quantised=[-128, 3]' --fetch quantised_ --fetch quantised_=out.npy; grep -ao '|i1' out.npy
quantised_:0  qint8 [2]
[-128, 3]
|i1
$ sluice run $DATA/graphs/inputs.pbtxt --feed quantised=out.npy --fetch quantised_ --json
{"name":"quantised_:0","tensor":{"dtype":"qint8","shape":[2],"value":[-128,3]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=whole.npy --fetch words_
sluice: feed words: the input takes string [?], the value is int64 [3]
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=square.npy --fetch real_
sluice: feed real: the input takes float [?], the value is float [2,2]
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=3 --fetch real_
sluice: feed real: the input takes float [?], the value is float []
sluice: for a list of one: --feed 'real=[VALUE]'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed any=3 --fetch any_
any_:0  float []
3
$ python3 -c 'import struct; open("one.npy", "wb").write(b"\x93NUMPY\1\0\x76\0" + \
    b"{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 4)}".ljust(117) + b"\n" + bytes(32))'
$ sluice run $DATA/graphs/inputs.pbtxt --feed greys=one.npy --fetch greys_
sluice: feed greys: the input takes float [?,2,4], the value is float [2,4]
sluice: for a batch of one: numpy.save(FILE, array[None])
? 1
$ : > empty.npy; sluice run $DATA/graphs/inputs.pbtxt --feed real=empty.npy --fetch real_
sluice: empty.npy: the file is empty
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/flag.bmp --fetch image_
sluice: feed image: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values 0..1
image_:0  float [1,2,4,3]
[[[[1, 0, 0],
   [1, 0, 0],
   [0, 0, 1],
   [0, 0, 1]],
  [[1, 0, 0],
   [1, 0, 0],
   [0, 0, 1],
   [0, 0, 1]]]]
$ printf 'BM\305' >short.bmp; sluice run $DATA/graphs/inputs.pbtxt --feed image=short.bmp --fetch image_
sluice: feed image: short.bmp: Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp, got 3 bytes
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/flag.bmp --fetch image_ --json --pixels 0..255
sluice: feed image: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values 0..255
{"name":"image_:0","tensor":{"dtype":"float","shape":[1,2,4,3],"value":[[[[255,0,0],[255,0,0],[0,0,255],[0,0,255]],[[255,0,0],[255,0,0],[0,0,255],[0,0,255]]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed planes=$DATA/pictures/flag.bmp --fetch planes_ --json --pixels -1..1
sluice: feed planes: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values -1..1
{"name":"planes_:0","tensor":{"dtype":"float","shape":[1,3,2,4],"value":[[[[1,1,-1,-1],[1,1,-1,-1]],[[-1,-1,-1,-1],[-1,-1,-1,-1]],[[-1,-1,1,1],[-1,-1,1,1]]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed greys=$DATA/pictures/flag.bmp --fetch greys_ --json
sluice: feed greys: <...>/pictures/flag.bmp: 4 x 2 pixels, 1 channel, values 0..1
{"name":"greys_:0","tensor":{"dtype":"float","shape":[1,2,4],"value":[[[0.29803923,0.29803923,0.11372549,0.11372549],[0.29803923,0.29803923,0.11372549,0.11372549]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed flat=$DATA/pictures/flag.bmp --fetch flat_ --json
sluice: feed flat: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values 0..1
{"name":"flat_:0","tensor":{"dtype":"double","shape":[1,24],"value":[[1,0,0,1,0,0,0,0,1,0,0,1,1,0,0,1,0,0,0,0,1,0,0,1]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed pixels=$DATA/pictures/flag.bmp --fetch pixels_ --json
sluice: feed pixels: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values 0..255
{"name":"pixels_:0","tensor":{"dtype":"uint8","shape":[1,2,4,3],"value":[[[[255,0,0],[255,0,0],[0,0,255],[0,0,255]],[[255,0,0],[255,0,0],[0,0,255],[0,0,255]]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed small=$DATA/pictures/flag.bmp --fetch small_ --json
sluice: feed small: <...>/pictures/flag.bmp: 4 x 2 pixels resized to 2 x 1, 3 channels, values 0..1
{"name":"small_:0","tensor":{"dtype":"float","shape":[1,1,2,3],"value":[[[[1,0,0],[0,0,1]]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed any=$DATA/pictures/flag.bmp --fetch any_ --json
sluice: feed any: <...>/pictures/flag.bmp: 4 x 2 pixels, 3 channels, values 0..1
{"name":"any_:0","tensor":{"dtype":"float","shape":[1,2,4,3],"value":[[[[1,0,0],[1,0,0],[0,0,1],[0,0,1]],[[1,0,0],[1,0,0],[0,0,1],[0,0,1]]]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed bytes=@$DATA/pictures/flag.bmp --fetch bytes_ --json
{"name":"bytes_:0","tensor":{"dtype":"string","shape":[],"value":{"b64":"Qk1OAAAAAAAAADYAAAAoAAAABAAAAAIAAAABABgAAAAAABgAAAATCwAAEwsAAAAAAAAAAAAAAAD/AAD//wAA/wAAAAD/AAD//wAA/wAA"}}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed count=$DATA/pictures/flag.bmp --fetch count_
sluice: feed count: <...>/pictures/flag.bmp: a picture does not fit the shape of the input
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed pixels=$DATA/pictures/flag.bmp --fetch pixels_ --pixels 0..1
sluice: feed pixels: <...>/pictures/flag.bmp: a picture with values 0..1 is no input of type uint8
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/flag.bmp --fetch image_ --pixels 0..2
sluice: --pixels wants 0..1, -1..1 or 0..255, not '0..2'
Try 'sluice run --help'.
? 2
$ cp bytes.bin wrong.png; sluice run $DATA/graphs/inputs.pbtxt --feed image=wrong.png --fetch image_
sluice: feed image: wrong.png: the file is no PNG, JPEG, GIF, BMP or WebP picture
? 1
$ : > empty.png; sluice run $DATA/graphs/inputs.pbtxt --feed image=empty.png --fetch image_
sluice: feed image: empty.png: the file is empty
? 1
$ head -c 60 $DATA/pictures/flag.bmp > cut.bmp; sluice run $DATA/graphs/inputs.pbtxt --feed image=cut.bmp --fetch image_
sluice: feed image: cut.bmp: Input size should match (header_size + row_size * abs_height) but they differ by -18
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/flag.bmp --fetch image_ --json > wanted 2> said; \
for kind in png gif webp; do \
    sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/flag.$kind --fetch image_ --json > got 2> said; \
    cmp -s got wanted || grep -q 'lib\(png\|webp\)\|giflib' said || cat got said; \
done
$ sluice run $DATA/graphs/inputs.pbtxt --feed image=$DATA/pictures/halves.jpg --fetch image_ --json > got 2> said; \
if grep -q libjpeg said; then echo 'alue":[[[[0.78431374,0.78431374,0.78431374]'; else grep -q 'resized to 4 x 2' said && cut -c 66-108 got; fi
alue":[[[[0.78431374,0.78431374,0.78431374]
$ sluice run $DATA/graphs/inputs.pbtxt --feed "words=['a, b', 'it\'s', it's, 'tis]" --fetch words_
words_:0  string [4]
["a, b", "it's", "it's", "'tis"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'words=["\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\u07ff\u0800\uffff\ud800\udc00"]' --fetch words_
words_:0  string [4]
["\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "߿ࠀ￿𐀀"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'bytes="\ud83d\ue000"' --fetch bytes_
sluice: feed bytes: none of \" \\ \n \t \r \u0000 \x00 at character 2 of '"\ud83d\ue000"'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'count=[2147483647, -2147483648, 0x10]' --fetch count_ --json
{"name":"count_:0","tensor":{"dtype":"int32","shape":[3],"value":[2147483647,-2147483648,16]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'count=[2147483648]' --fetch count_
sluice: feed count: the number is out of range at character 2 of '[2147483648]'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed 'count=[-2147483649]' --fetch count_
sluice: feed count: the number is out of range at character 2 of '[-2147483649]'
? 1
$ python3 -c 'import struct; \
npy = lambda name, descr, data, shape, order=False: open(name + ".npy", "wb").write( \
    b"\x93NUMPY\1\0\x76\0" + str({"descr": descr, "fortran_order": order, "shape": shape}).encode().ljust(117) + b"\n" + data); \
npy("columns", "<f4", struct.pack("<6f", 1, 4, 2, 5, 3, 6), (2, 3), True); \
npy("big", ">f8", struct.pack(">2d", 0.5, -3), (2,)); \
npy("waves", ">c8", struct.pack(">4f", 1, 2, -1, 0.5), (2,)); \
npy("letters", "<U3", "ab\0".encode("utf-32-le") + "\u00e9\0c".encode("utf-32-le") + "\U0001f600\0\0".encode("utf-32-le"), (3,)); \
npy("bytes", "|S3", b"ab\0" + b"\0c\0" + b"xyz", (3,)); \
npy("short", "<f4", struct.pack("<2f", 1, 2), (3,)); \
npy("huge", "<f4", b"", (1 << 62, 4)); \
npy("nothing", "|S0", b"", (227557724,))'
$ sluice run $DATA/graphs/inputs.pbtxt --feed any=columns.npy --fetch any_ --json
{"name":"any_:0","tensor":{"dtype":"float","shape":[2,3],"value":[[1,2,3],[4,5,6]]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=big.npy --fetch real_ --json
{"name":"real_:0","tensor":{"dtype":"float","shape":[2],"value":[0.5,-3]}}
$ sluice run $DATA/graphs/inputs.pbtxt --feed wave=waves.npy --fetch wave_
wave_:0  complex64 [2]
[(1+2j), (-1+0.5j)]
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=letters.npy --fetch words_
words_:0  string [3]
["ab", "é\u0000c", "😀"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=bytes.npy --fetch words_
words_:0  string [3]
["ab", "\u0000c", "xyz"]
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=short.npy --fetch real_
sluice: short.npy: it holds 8 bytes of data but its shape needs 3 elements of 4
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=huge.npy --fetch real_
sluice: huge.npy: the array is too large
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed words=nothing.npy --fetch words_
sluice: nothing.npy: its shape has 227557724 strings of no bytes; at most 1048576
? 1
