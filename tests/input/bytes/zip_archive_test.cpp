#include "input/bytes/zip_archive.h"

#include <catch2/catch.hpp>

#include "packed.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string number_of(uint64_t number, size_t bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text += static_cast<char>(number & 0xff);
  return text;
}

const std::string kNote = "water the beds";

/// An archive with one file, `note`.
std::string note_as(ZipFile::How how) {
  return zipped({{"note", kNote, how, false}});
}

/// With other bytes in the row that the table of contents has of the note.
std::string with_row(std::string archive, size_t at, std::string_view bytes) {
  return archive.replace(archive.find("PK\x01\x02") + at, bytes.size(), bytes);
}

/// With all sizes and places of its table of contents in 64 bits, as archives over 4 GB have them.
std::string in_64_bits(const std::string& archive) {
  const size_t row = archive.find("PK\x01\x02"), end = archive.find("PK\x05\x06");
  const std::string all_set(4, '\xff');
  std::string contents = archive.substr(row, end - row);
  contents.replace(20, 8, all_set + all_set);
  contents.replace(30, 2, number_of(28, 2));
  contents.replace(42, 4, all_set);
  // First the lengths of the file, as they are and packed, then where it begins.
  contents += number_of(1, 2) + number_of(24, 2) + number_of(kNote.size(), 8) +
              number_of(row - 30 - 4, 8) + number_of(0, 8);
  const std::string end64 = "PK\x06\x06" + number_of(44, 8) + number_of(0, 12) + number_of(1, 8) +
                            number_of(1, 8) + number_of(contents.size(), 8) + number_of(row, 8);
  const std::string locator =
      "PK\x06\x07" + number_of(0, 4) + number_of(row + contents.size(), 8) + number_of(1, 4);
  return archive.substr(0, row) + contents + end64 + locator + "PK\x05\x06" + number_of(0, 4) +
         std::string(12, '\xff') + number_of(0, 2);
}

struct Unzipped {
  std::string text, damage;
};

/// The note of an archive, and what is wrong with it.
Unzipped unzip_note(const std::string& bytes) {
  Memory memory(bytes);
  const File file = open_to_read(memory.path()).value();
  Result<ZipArchive> archive = ZipArchive::open(file, "a.zip", bytes.size());
  if (!archive) return {"", "no archive"};
  const ZipArchive::Entry* note = archive->find("note");
  if (note == nullptr) return {"", "no note"};
  Unzipped unzipped;
  unzipped.damage = archive
                        ->read(*note,
                               [&](std::string_view block) -> Status {
                                 unzipped.text += block;
                                 return {};
                               })
                        .value();
  return unzipped;
}

}  // namespace

TEST_CASE("a file of a zip archive is read however it is packed, and wherever its end is") {
  const ZipFile::How how =
      GENERATE(ZipFile::How::stored, ZipFile::How::deflated, ZipFile::How::zstd);
  const std::string archive = note_as(how);
  CHECK(unzip_note(archive).text == kNote);
  CHECK(unzip_note(archive).damage.empty());
  SECTION("with a comment behind it, even one that looks like an end") {
    const std::string comment = "PK\x05\x06 was here";
    std::string with_comment = archive + comment;
    with_comment.replace(archive.size() - 2, 2, number_of(comment.size(), 2));
    CHECK(unzip_note(with_comment).text == kNote);
  }
  SECTION("with numbers in 64 bits") {
    if (how == ZipFile::How::stored) CHECK(unzip_note(in_64_bits(archive)).text == kNote);
  }
}

TEST_CASE("of a file that cannot be unpacked it is said why") {
  const std::string stored = note_as(ZipFile::How::stored),
                    deflated = note_as(ZipFile::How::deflated);
  CHECK(unzip_note(with_row(stored, 8, number_of(1, 2))).damage == "it is encrypted");
  CHECK(unzip_note(with_row(stored, 10, number_of(12, 2))).damage ==
        "unsupported compression method 12");
  CHECK(unzip_note(with_row(stored, 16, number_of(7, 4))).damage ==
        "its checksum is not that of its contents");
  CHECK(unzip_note(with_row(stored, 24, number_of(3, 4))).damage ==
        "its checksum is not that of its contents");
  CHECK(unzip_note(with_row(stored, 20, number_of(1 << 20, 4))).damage == "it ends too early");
  CHECK(unzip_note(with_row(deflated, 20, number_of(5, 4))).damage == "it ends too early");
  CHECK(unzip_note(with_row(stored, 42, number_of(3, 4))).damage ==
        "its header is not where it should be");
  std::string garbled = deflated;
  garbled[34] = '\xff';
  CHECK(unzip_note(garbled).damage == "its compressed data is damaged");
}

TEST_CASE("a table of contents that promises what is not there is no archive") {
  const std::string stored = note_as(ZipFile::How::stored);
  const size_t end = stored.find("PK\x05\x06");
  for (const auto& [at, bytes] : {std::pair(10, number_of(2, 2)), std::pair(12, number_of(7, 4)),
                                  std::pair(16, number_of(1 << 30, 4))}) {
    std::string changed = stored;
    changed.replace(end + static_cast<size_t>(at), bytes.size(), bytes);
    CHECK(unzip_note(changed).damage == "no archive");
  }
  CHECK(unzip_note(with_row(stored, 28, number_of(900, 2))).damage == "no archive");
  std::string far = in_64_bits(stored);
  far.replace(far.find("PK\x06\x07") + 8, 8, number_of(UINT64_MAX - 3, 8));
  CHECK(unzip_note(far).damage == "no archive");
}
