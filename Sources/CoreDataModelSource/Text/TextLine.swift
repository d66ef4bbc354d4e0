import CoreDataModelFormat

/// One line of a model's text form, read from left to right.
struct TextLine {
    let number: Int
    /// The number of spaces before the first character.
    let indentation: Int
    private let file: String
    private let characters: [Character]
    private var position: Int

    /// Makes a line; nil if it is empty or a comment.
    init?(_ text: Substring, number: Int, file: String) {
        self.file = file
        self.number = number
        var characters = Array(text)
        while let last = characters.last, last.isWhitespace { characters.removeLast() }
        indentation = characters.prefix { $0 == " " }.count
        position = indentation
        guard indentation < characters.count, characters[indentation] != "#" else { return nil }
        self.characters = characters
    }

    var isAtEnd: Bool { position >= characters.count }

    // MARK: Errors

    /// Returns the error that says what should be at the current place, and what is there.
    func expected(_ what: String) -> ModelFileError {
        let rest = String(characters[position...].prefix { !$0.isWhitespace })
        return error("expected \(what)" + (rest.isEmpty ? " at the end of the line" : ", found \(rest)"))
    }

    func error(_ message: String) -> ModelFileError {
        ModelFileError(file, .malformedText(message), line: number, column: position + 1)
    }

    // MARK: Parts

    private var next: Character? { isAtEnd ? nil : characters[position] }

    private mutating func skipSpaces() {
        while next?.isWhitespace == true { position += 1 }
    }

    /// Returns whether `text` comes next.
    func isNext(_ text: String) -> Bool { characters[position...].starts(with: text) }

    /// Takes a sign if it comes next.
    mutating func take(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        position += text.count
        skipSpaces()
        return true
    }

    /// Takes a word if it comes next. A word consists of letters, digits and hyphens.
    mutating func takeWord(_ word: String) -> Bool {
        guard nextWord == word else { return false }
        return take(word)
    }

    /// The word that comes next, without being taken.
    var nextWord: String? {
        let word = characters[position...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return word.isEmpty ? nil : String(word)
    }

    /// Takes the name of an element: letters, digits and underscores, or a text in quotation marks.
    mutating func name(_ what: String) throws -> String {
        if next == "\"" { return try quoted() }
        let name = String(characters[position...].prefix(while: TextSpelling.isPartOfName))
        guard !name.isEmpty else { throw expected(what) }
        position += name.count
        skipSpaces()
        return name
    }

    /// Takes a text: all up to a space, comma, bracket or brace, or a text in quotation marks.
    mutating func text(_ what: String) throws -> String {
        if next == "\"" { return try quoted() }
        let text = String(characters[position...].prefix(while: TextSpelling.isPartOfText))
        guard !text.isEmpty else { throw expected(what) }
        position += text.count
        skipSpaces()
        return text
    }

    mutating func integer(_ what: String) throws -> Int {
        let start = self
        guard let number = Int(try text(what)) else { throw start.expected(what) }
        return number
    }

    /// Takes the rest of the line, or a text in quotation marks.
    mutating func rest(_ what: String) throws -> String {
        if next == "\"" { return try quoted() }
        guard !isAtEnd else { throw expected(what) }
        defer { position = characters.count }
        return String(characters[position...])
    }

    /// Takes names with commas between them; none if the line is at its end, or at a bracket.
    mutating func names(_ what: String) throws -> [String] {
        guard !isAtEnd, next != "[" else { return [] }
        return try list { try $0.name(what) }
    }

    /// Takes elements with commas between them.
    mutating func list<Element>(_ element: (inout TextLine) throws -> Element) throws -> [Element] {
        var elements = [try element(&self)]
        while take(",") { elements.append(try element(&self)) }
        return elements
    }

    /// Takes `[key=value, -key]`, which sets and removes entries of `fields`, if it comes next.
    mutating func takeFields(into fields: inout [String: String]) throws -> Bool {
        guard take("[") else { return false }
        while !take("]") {
            if take("-") {
                fields[try name("the name of an XML attribute")] = nil
            } else {
                let key = try name("the name of an XML attribute, or ]")
                guard take("=") else { throw expected("= after \(key)") }
                fields[key] = try text("a value")
            }
            guard take(",") || next == "]" else { throw expected(", or ]") }
        }
        return true
    }

    func requireEnd(_ what: String) throws {
        guard isAtEnd else { throw expected(what) }
    }

    private mutating func quoted() throws -> String {
        let start = self
        position += 1
        var text = ""
        while let character = next {
            position += 1
            switch character {
            case "\"":
                skipSpaces()
                return text
            case "\\": text += try escaped()
            default: text.append(character)
            }
        }
        throw start.error("expected a quotation mark that ends the text")
    }

    /// Takes the part of an escape after the backslash.
    private mutating func escaped() throws -> String {
        let start = self
        guard let character = next else { throw expected("\\, \", n, r, t or u{…} after a backslash") }
        position += 1
        switch character {
        case "\\", "\"": return String(character)
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u" where next == "{":
            let digits = characters[(position + 1)...].prefix { $0 != "}" }
            position += digits.count + 2
            if position <= characters.count,
                let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
            {
                return String(Character(scalar))
            }
        default: break
        }
        throw start.expected("\\, \", n, r, t or u{…} after a backslash")
    }
}
