#if Overlay
import CoreDataCodegen

/// The text of a source that compiles both on Linux and on Apple's systems, with its comments and its layout.
struct PortableText {
    /// New text for a range of bytes.
    private struct Edit {
        var range: Range<Int>
        var text: [UInt8]
    }

    private static let condition = "#if canImport(ObjectiveC)"

    private let port: FilePort
    private let original: [UInt8]
    private let lineBreak: String

    init(of port: FilePort) {
        self.port = port
        original = Array(port.source.text.utf8)
        lineBreak = original.firstRange(of: [UInt8]("\r\n".utf8)) == nil ? "\n" : "\r\n"
    }

    var text: String {
        let moved = port.movedOverrides
        func isMoved(_ edit: Edit) -> Bool { moved.contains { $0.range.contains(edit.range.lowerBound) } }
        let remaining =
            edits().filter { !isMoved($0) } + moved.map { Edit(range: $0.range, text: []) }
            + port.arrivingOverrides.map(insertion)
        return String(decoding: applied(remaining, to: 0..<original.count) + selectors, as: UTF8.self)
    }

    /// Returns the text of a member that moves to its class, without empty lines before it.
    func text(of move: MovedOverride) -> String {
        var text = applied(edits().filter { move.range.contains($0.range.lowerBound) }, to: move.range)[...]
        while let end = text.firstIndex(where: isLineBreak), text[..<end].allSatisfy(isBlank) {
            text = text[(end + 1)...]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a range after the edits in it. Edits at the same offset keep their order.
    private func applied(_ edits: [Edit], to range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        var position = range.lowerBound
        let sorted = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, edit) in sorted {
            result += original[position..<edit.range.lowerBound] + edit.text
            position = edit.range.upperBound
        }
        return result + original[position..<range.upperBound]
    }

    // MARK: Edits

    private func edits() -> [Edit] {
        var edits = port.missingImport.map { [importEdit($0)] } ?? []
        var attributes: [Range<Int>] = []
        for rewrite in port.rewrites {
            let range = rewrite.range
            switch rewrite.kind {
            case .attribute, .runtimeName: attributes.append(range)
            case .qualifier, .submodule: edits.append(edit(range, ""))
            case .keyPath(let path): edits.append(edit(range, path.checkedExpression))
            // Two pairs of parentheses, which tell Apple's compiler that the string is intended.
            case .selector(let name): edits.append(edit(range, "Selector((\"\(name)\"))"))
            case .getter(let path): edits.append(edit(range, "Selector(\(path.checkedExpression))"))
            case .selectedMethod(let number):
                edits.append(edit(range, port.selectedMethods[number - 1].selectorReference))
            case .untypedRequest(let position):
                edits.append(edit(position..<position, ": NSFetchRequest<NSFetchRequestResult>"))
            case .module(let name): edits.append(importEdit(of: name, insteadOf: range))
            case .classBound: edits.append(edit(range, ": AnyObject"))
            // Only the overlay makes these rewrites; Apple's framework has no such methods.
            case .modifier, .replacement, .retyping, .member, .optionalCall, .accessors, .overrides: break
            }
        }
        let levels = port.movedOverrides.compactMap(\.access)
        return edits + attributeEdits(attributes)
            + levels.map { edit($0.offset..<$0.offset, $0.level + " ") }
    }

    private func edit(_ range: Range<Int>, _ text: String) -> Edit {
        Edit(range: range, text: Array(text.utf8))
    }

    private func importEdit(_ missing: MissingImport) -> Edit {
        let line = original[missing.offset...].prefix { !isLineBreak($0) }
        let hasImport = line.firstRange(of: "import ".utf8) != nil
        return edit(
            missing.offset..<missing.offset, missing.text + lineBreak + (hasImport ? "" : lineBreak))
    }

    private func importEdit(of module: String, insteadOf range: Range<Int>) -> Edit {
        let line = lineStart(range.lowerBound)..<range.upperBound
        let head = string(line.lowerBound..<range.lowerBound)
        return edit(
            line,
            [
                "#if canImport(\(string(range)))", string(line), "#else", head + module, "#endif",
            ].joined(separator: lineBreak))
    }

    /// Returns the edits for attributes, one edit for each run of adjacent attributes.
    private func attributeEdits(_ ranges: [Range<Int>]) -> [Edit] {
        var groups: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = groups.last, original[last.upperBound..<range.lowerBound].allSatisfy(isWhitespace) {
                groups[groups.count - 1] = last.lowerBound..<range.upperBound
            } else {
                groups.append(range)
            }
        }
        return groups.map(attributeEdit)
    }

    /// Returns the edit that encloses attributes in `#if`, on lines of their own. The text before and after
    /// them moves to other lines.
    private func attributeEdit(_ attributes: Range<Int>) -> Edit {
        let start = lineStart(attributes.lowerBound)
        let indent = string(start..<original[start...].prefix(while: isBlank).endIndex)
        let before = original[start..<attributes.lowerBound]
        let isFirst = before.allSatisfy(isBlank)
        let rest = original[attributes.upperBound...].prefix { !isLineBreak($0) }
        let next = rest.drop(while: isBlank)
        let isLast = next.isEmpty || next.starts(with: "//".utf8)
        let lower = isFirst ? start : attributes.lowerBound - before.reversed().prefix(while: isBlank).count
        let upper = isLast ? rest.endIndex : next.startIndex
        let block = [
            indent + Self.condition,
            indent + string(attributes.lowerBound..<(isLast ? rest.endIndex : attributes.upperBound)),
            indent + "#endif",
        ].joined(separator: lineBreak)
        return edit(lower..<upper, (isFirst ? "" : lineBreak) + block + (isLast ? "" : lineBreak + indent))
    }

    // MARK: Moved and added text

    /// Returns the edit that inserts a moved override as the last member of its class, after an empty line.
    private func insertion(of arrival: ArrivingOverride) -> Edit {
        let start = lineStart(arrival.destination)
        let position = original[start..<arrival.destination].allSatisfy(isBlank) ? start : arrival.destination
        let indent = arrival.text.utf8.first.map(isBlank) == true ? "" : "    "
        // The file of the extension may have other line endings.
        let lines = arrival.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return edit(position..<position, lineBreak + indent + lines.joined(separator: lineBreak) + lineBreak)
    }

    /// The declarations of the selector properties, each once, which follow the last line.
    private var selectors: [UInt8] {
        var known: Set<MethodReference> = []
        let declarations = port.selectedMethods.filter { known.insert($0).inserted }.map {
            $0.selectorDeclaration().joined(separator: lineBreak) + lineBreak
        }
        guard !declarations.isEmpty else { return [] }
        let isLineEnded = original.last.map(isLineBreak) ?? true
        return Array(
            ((isLineEnded ? "" : lineBreak) + lineBreak + declarations.joined(separator: lineBreak)).utf8)
    }

    // MARK: Bytes

    private func string(_ range: Range<Int>) -> String { String(decoding: original[range], as: UTF8.self) }

    private func lineStart(_ offset: Int) -> Int {
        original[..<offset].lastIndex(where: isLineBreak).map { $0 + 1 } ?? 0
    }

    private func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    private func isWhitespace(_ byte: UInt8) -> Bool { isLineBreak(byte) || isBlank(byte) }
}
#endif
