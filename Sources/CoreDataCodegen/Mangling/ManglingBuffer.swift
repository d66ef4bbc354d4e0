/// The text of a symbol under construction, with the two compressions of Swift's stable mangling: inside an
/// identifier, a letter replaces a word that was already written; an `A` substitution replaces a whole
/// identifier or type.
struct ManglingBuffer {
    private struct Word {
        var start: Int
        var length: Int
    }

    private struct Replacement {
        var position: Int
        var word: Int
    }

    /// The last substitution at the end of the text, with which the next one may merge.
    private struct LastSubstitution {
        var position = 0
        var size = 0
        var count = 0
        var isStandard = false
    }

    private static let maximumWords = 26

    private var bytes: [UInt8] = Array("$s".utf8)
    private var words: [Word] = []
    private var identifiers: [String: Int] = [:]
    private var substitutionCount = 0
    private var last = LastSubstitution()

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ operators: String) {
        bytes.append(contentsOf: operators.utf8)
    }

    /// Reserves the next substitution index and returns it.
    mutating func nextSubstitution() -> Int {
        defer { substitutionCount += 1 }
        return substitutionCount
    }

    // MARK: Substitutions

    mutating func append(substitution index: Int) {
        guard index < 26 else {
            append("A")
            append(index: index - 26)
            return
        }
        let letter = UInt8(ascii: "A") + UInt8(index)
        if !merge(letter, isStandard: false) {
            append("A")
            bytes.append(letter)
        }
    }

    /// Appends a type of the standard library that has a letter of its own.
    mutating func append(standard letter: Character) {
        let byte = letter.asciiValue ?? 0
        if !merge(byte, isStandard: true) {
            append("S")
            bytes.append(byte)
        }
    }

    /// Appends an index: `_` is 0, `0_` is 1, and so on.
    mutating func append(index: Int) {
        append(index == 0 ? "_" : "\(index - 1)_")
    }

    /// Merges a substitution into the one before it, and returns whether that was possible: `AB` `AC` become
    /// `AbC`, `AB` `AB` become `A2B`, `Si` `Si` become `S2i`.
    private mutating func merge(_ letter: UInt8, isStandard: Bool) -> Bool {
        if last.count > 0, last.count < 2048, bytes.count == last.position + last.size,
            last.isStandard == isStandard, let previous = bytes.last
        {
            if previous != letter && !isStandard {
                last = LastSubstitution(position: bytes.count, size: 1, count: 1, isStandard: false)
                bytes[bytes.count - 1] = previous - UInt8(ascii: "A") + UInt8(ascii: "a")
                bytes.append(letter)
                return true
            }
            if previous == letter {
                last.count += 1
                bytes.removeSubrange(last.position...)
                append("\(last.count)")
                bytes.append(letter)
                last.size = bytes.count - last.position
                return true
            }
        }
        last = LastSubstitution(position: bytes.count + 1, size: 1, count: 1, isStandard: isStandard)
        return false
    }

    // MARK: Identifiers

    mutating func append(identifier: String) {
        if let index = identifiers[identifier] {
            append(substitution: index)
            return
        }
        identifiers[identifier] = nextSubstitution()
        if let encoded = Punycode.encoding(of: identifier) {
            append("00\(encoded.utf8.count)")
            if let first = encoded.utf8.first, first == UInt8(ascii: "_") || isDigit(first) { append("_") }
            append(encoded)
            return
        }
        appendCompressed(Array(identifier.utf8))
    }

    private mutating func appendCompressed(_ identifier: [UInt8]) {
        var known = words.count
        let replacements = findWords(in: identifier)
        if !replacements.isEmpty { append("0") }
        let steps = replacements + [Replacement(position: identifier.count, word: -1)]
        var position = 0
        for (index, step) in steps.enumerated() {
            if position < step.position {
                append("\(step.position - position)")
                while position < step.position {
                    // A new word was noted by its place in the identifier. Its place in the symbol is known
                    // only now.
                    if known < words.count, words[known].start == position {
                        words[known].start = bytes.count
                        known += 1
                    }
                    bytes.append(identifier[position])
                    position += 1
                }
            }
            guard step.word >= 0 else { continue }
            position += words[step.word].length
            let isLast = index == steps.count - 2
            bytes.append(UInt8(step.word) + (isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")))
            if isLast && position == identifier.count { append("0") }
        }
    }

    /// Returns the words of the identifier that were written before, and adds the others to the list of
    /// words.
    private mutating func findWords(in identifier: [UInt8]) -> [Replacement] {
        let known = words.count
        var replacements: [Replacement] = []
        var wordStart: Int?
        for position in 0...identifier.count {
            let byte = position < identifier.count ? identifier[position] : 0
            if let start = wordStart, endsWord(byte, after: identifier[position - 1]) {
                let word = identifier[start..<position]
                if let index = index(of: word, in: identifier, known: known) {
                    replacements.append(Replacement(position: start, word: index))
                } else if word.count >= 2, words.count < Self.maximumWords {
                    words.append(Word(start: start, length: word.count))
                }
                wordStart = nil
            }
            if wordStart == nil, !isDigit(byte), byte != UInt8(ascii: "_"), byte != 0 { wordStart = position }
        }
        return replacements
    }

    private func index(of word: ArraySlice<UInt8>, in identifier: [UInt8], known: Int) -> Int? {
        for (index, candidate) in words.enumerated() where candidate.length == word.count {
            let range = candidate.start..<(candidate.start + candidate.length)
            if (index < known ? bytes[range] : identifier[range]).elementsEqual(word) { return index }
        }
        return nil
    }

    private func endsWord(_ byte: UInt8, after previous: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == 0 || (!isUppercase(previous) && isUppercase(byte))
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func isUppercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
