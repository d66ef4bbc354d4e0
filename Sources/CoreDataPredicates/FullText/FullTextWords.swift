/// The words of a text in their order, folded in the same way as in the index.
package struct FullTextWords: Sendable, Hashable {
    /// The UTF-8 of all words, one after the other. Words are equal if their bytes are.
    private var bytes: [UInt8] = []
    /// The end of each word in `bytes`.
    private var ends: [Int] = []

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { utf8 in
            // Most texts are ASCII and need no tables for folding.
            utf8.allSatisfy { $0 < 0x80 } ? FullTextWords(ascii: utf8) : FullTextWords(utf8)
        }
    }

    private init(ascii text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(text.count)
        for byte in text {
            if FullTextAlphabet.isASCIIWord(byte) {
                bytes.append(byte < UInt8(ascii: "a") && byte > UInt8(ascii: "9") ? byte | 0x20 : byte)
            } else {
                endWord()
            }
        }
        endWord()
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if FullTextAlphabet.isWord(scalar) {
                bytes.append(contentsOf: UTF8.encode(FullTextAlphabet.folded(scalar))!)
            } else if !FullTextAlphabet.isMark(scalar) || bytes.count == (ends.last ?? 0) {
                endWord()
            }
        }
        endWord()
    }

    private mutating func endWord() {
        if bytes.count > (ends.last ?? 0) { ends.append(bytes.count) }
    }

    package var count: Int { ends.count }
    package var isEmpty: Bool { ends.isEmpty }

    func prefix(_ most: Int) -> FullTextWords {
        guard count > most else { return self }
        var result = self
        result.ends.removeLast(count - most)
        result.bytes.removeLast(bytes.count - (result.ends.last ?? 0))
        return result
    }

    private func range(_ word: Int) -> Range<Int> {
        (word == 0 ? 0 : ends[word - 1])..<ends[word]
    }

    /// The words with spaces between them.
    package var text: String {
        (0..<count).map { String(decoding: bytes[range($0)], as: UTF8.self) }.joined(separator: " ")
    }

    /// Returns whether the words of a phrase occur next to each other; with `isPrefix`, the last of them may
    /// be the beginning of a word.
    func contains(_ phrase: FullTextWords, isPrefix: Bool) -> Bool {
        guard !phrase.isEmpty, phrase.count <= count else { return false }
        return (0...count - phrase.count).contains { start in
            (0..<phrase.count).allSatisfy { index in
                let isBeginning = isPrefix && index == phrase.count - 1
                let (word, sought) = (bytes[range(start + index)], phrase.bytes[phrase.range(index)])
                return isBeginning ? word.starts(with: sought) : word.elementsEqual(sought)
            }
        }
    }
}
