"""Pictures of players: small JPEG files with nothing else in them."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ledger.services.common import pictures
from ledger.services.common.pictures import MOST_BYTES, fault
from ledger.words.problems import Invalid
from tests.ledger.photos import EXIF, as_text, photo

FINE = photo()
REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is a JPEG file"),
    "a text": (b"<script>alert(1)</script>", "is a JPEG file"),
    "a GIF": (photo(kind="GIF"), "is a JPEG file"),
    "a PNG": (photo(kind="PNG"), "is a JPEG file"),
    "a drawing": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is a JPEG file"),
    "a bomb": (photo((20_000, 20_000), quality=1)[:MOST_BYTES], "incomplete"),
    "a large picture": (photo((200, 96)), "96 × 96 pixels"),
    "a small picture": (photo((95, 96)), "96 × 96 pixels"),
    "a larger file": (FINE + bytes(MOST_BYTES), "at most 7000 bytes"),
    "a camera's notes": (photo(exif=EXIF), "more than a picture"),
    "a comment": (photo(comment=b"Kitchen Street 5"), "more than a picture"),
    "a profile": (photo(icc_profile=b"x" * 200), "more than a picture"),
    "a page behind it": (FINE + b"<script>alert(1)</script>", "something follows"),
    "another picture behind it": (FINE + FINE, "something follows"),
    "half a picture": (FINE[: len(FINE) // 2], "incomplete"),
    "no end": (FINE[:-2], "incomplete"),
    "only its start": (FINE[:2], "incomplete"),
    "only start and end": (FINE[:2] + FINE[-2:], "incomplete"),
    "a thumbnail": (
        FINE.replace(b"\x00\x00\xff\xdb", b"\x01\x01\xff\xdb", 1),
        "more than a picture",
    ),
    "two sizes": (FINE[:-2] + photo((500, 500))[2:], "96 × 96 pixels"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_anything_but_a_small_jpeg_is_refused_with_the_reason(name: str) -> None:
    """At its field; the sentence names what is wrong."""
    content, sentence = REFUSED[name]
    assert sentence in (fault(content) or "")
    if content:
        with pytest.raises(Invalid) as refused:
            pictures.clean(as_text(content), "picture")
        assert refused.value.faults[0].code == "not-a-picture"


@pytest.mark.parametrize("text", ["é", "AAA", "data:image/jpeg;base64,AAAA", "\x00", "A" * 10**6])
def test_a_text_that_is_no_base64_is_refused(text: str) -> None:
    """However long it is."""
    with pytest.raises(Invalid):
        pictures.clean(text, "picture")


@pytest.mark.parametrize("quality", [5, 50, 90])
@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_every_plain_jpeg_of_96_pixels_is_accepted(
    mode: str, progressive: bool, quality: int
) -> None:
    """Of noise, too, if it is not too large: in colours or grey, in lines or becoming sharper."""
    image = Image.effect_noise((96, 96), 80).convert(mode)
    for restarts in (0, 2):
        file = BytesIO()
        image.save(
            file, "JPEG", quality=quality, progressive=progressive, restart_marker_rows=restarts
        )
        content = file.getvalue()
        if len(content) <= MOST_BYTES:
            assert fault(content) is None
            assert pictures.clean(as_text(content), "picture") == content
        else:
            assert "at most" in (fault(content) or "")


@given(st.data())
def test_no_file_raises_and_none_that_is_accepted_hides_a_file(data: st.DataObject) -> None:
    """Bytes are changed, removed and inserted anywhere; what is accepted has the size that Pillow reads."""
    content = bytearray(FINE)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=6))
    if fault(bytes(content)) is None:
        assert len(content) <= MOST_BYTES
        with Image.open(BytesIO(content)) as image:
            assert image.size == (96, 96)
            assert set(image.info) <= {
                *("jfif", "jfif_version", "jfif_unit", "jfif_density", "dpi", "progressive"),
                "progression",
            }


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(content: bytes) -> None:
    """Also behind the start of a JPEG."""
    assert fault(content) is not None
    assert fault(FINE[:2] + content) is not None


def test_a_digest_is_that_of_the_content() -> None:
    """So that an address with it never gets another picture."""
    assert len(pictures.digest(FINE)) == 64
    assert pictures.digest(FINE) != pictures.digest(photo(quality=60))
    assert pictures.clean("", "picture") is None


def test_a_table_or_frame_that_no_decoder_reads_is_refused() -> None:
    """Such as a table of 16 bits that is as short as one of 8, or a frame of 12 bits."""
    for marker, spoiled in ((b"\xff\xdb", 0x10), (b"\xff\xc0", 0x0C)):
        at = FINE.index(marker) + 4
        damaged = FINE[:at] + bytes([spoiled]) + FINE[at + 1 :]
        assert "incomplete" in str(fault(damaged))
