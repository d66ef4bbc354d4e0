package import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// What may come next in the text of a predicate, and what is wrong with it.
package struct PredicateCompletion: Sendable {
    package struct Item: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case attribute, toOne, toMany, keyword, function
            case comparison = "operator"
        }

        /// The text that takes the place of the word at the caret.
        package let text: String
        package let kind: Kind
        /// What it is: a type, a destination, or a word about it.
        package let detail: String
    }

    package struct Mistake: Sendable, Hashable {
        /// The place in the text, in Unicode scalars.
        package let position: Int
        package let length: Int
        package let message: String
    }

    /// The place of the word at the caret, in Unicode scalars: an item goes there.
    package let start: Int
    package let items: [Item]
    package let mistake: Mistake?

    /// The variables that the predicate of a fetched property may use.
    package static let ofFetchedProperties: [Item] = [
        ("$FETCH_SOURCE", "the object that has the property"),
        ("$FETCHED_PROPERTY", "the description of the property"),
    ].map { Item(text: $0.0, kind: .keyword, detail: $0.1) }

    /// - Parameters:
    ///   - caret: The place in the text, in Unicode scalars.
    ///   - variables: What may stand for a value besides properties.
    package init(
        _ text: String, caret: Int, of entity: CompiledEntity, in model: StoreModel, variables: [Item] = []
    ) {
        let before = Array(text.unicodeScalars.prefix(max(0, caret)))
        mistake = Self.mistake(in: text, of: entity, in: model)
        let reading = PredicateBeginning(before)
        start = reading.wordStart
        guard !reading.isInString else {
            items = []
            return
        }
        let word = String(String.UnicodeScalarView(before[reading.wordStart...]))
        let found =
            reading.expectsOperand
            ? Self.paths(word, of: entity, in: model) + (word.contains(".") ? [] : variables + Self.operands)
            : Self.operators(after: reading)
        let last = word.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        items = found.filter { item in
            let end = item.text.split(separator: ".").last.map(String.init) ?? item.text
            return last.isEmpty || end.lowercased().hasPrefix(last.lowercased())
        }
    }

    // MARK: Items

    private static func paths(_ word: String, of entity: CompiledEntity, in model: StoreModel) -> [Item] {
        var keys = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if !keys.isEmpty { keys.removeLast() }
        var owner = entity
        var isMany = false
        for key in keys {
            if key.hasPrefix("@"), isMany, key != "@count" { continue }
            guard let slot = owner.slot(named: key.hasPrefix("#") ? String(key.dropFirst()) : key),
                let relationship = slot.relationship
            else { return [] }
            owner = model.compiled[relationship.destination]
            isMany = relationship.isToMany
        }
        let prefix = keys.map { $0 + "." }.joined()
        let properties = owner.slots.compactMap { slot in item(slot, prefix, model) }
        let folds = isMany ? folds.map { Item(text: prefix + $0.0, kind: .function, detail: $0.1) } : []
        return properties.sorted { $0.text.lowercased() < $1.text.lowercased() } + folds
    }

    private static func item(_ slot: PropertySlot, _ prefix: String, _ model: StoreModel) -> Item? {
        let name = prefix + (ReservedWords.contains(slot.name) ? "#" : "") + slot.name
        switch slot.kind {
        case .attribute(let attribute):
            return slot.isTransient ? nil : Item(text: name, kind: .attribute, detail: "\(attribute.type)")
        case .relationship(let relationship):
            return Item(
                text: name, kind: relationship.isToMany ? .toMany : .toOne,
                detail: model.compiled[relationship.destination].name)
        case .fetchedProperty: return nil
        }
    }

    private static let folds = [
        ("@count", "number of members"), ("@sum", "sum of an attribute"), ("@avg", "average"),
        ("@min", "least"), ("@max", "greatest"),
    ]

    private static let operands: [Item] =
        [
            ("ANY", "some member of a to-many"), ("ALL", "every member"), ("NONE", "no member"),
            ("NOT", "the opposite"), ("SELF", "the object"), ("nil", "no value"), ("TRUE", "yes"),
            ("FALSE", "no"),
        ].map { Item(text: $0.0, kind: .keyword, detail: $0.1) }
        + [
            ("SUBQUERY(", "members that meet a condition"), ("now()", "the present moment"),
            ("lowercase:(", "text in small letters"), ("uppercase:(", "text in capital letters"),
            ("length:(", "number of characters"), ("abs:(", "absolute value"),
            ("CAST(", "a value as another type"),
        ].map { Item(text: $0.0, kind: .function, detail: $0.1) }

    private static let comparisons: [Item] = [
        ("==", "equal"), ("!=", "not equal"), ("<", "less"), ("<=", "at most"), (">", "greater"),
        (">=", "at least"), ("CONTAINS[cd]", "has a text in it, in any case and with any accents"),
        ("BEGINSWITH[cd]", "begins with"), ("ENDSWITH[cd]", "ends with"),
        ("LIKE[cd]", "text with * and ?"), ("MATCHES", "regular expression"), ("IN", "one of {a, b}"),
        ("BETWEEN", "from {a, b}"), ("CONTAINS", "has a text in it, letter by letter"),
    ].map { Item(text: $0.0, kind: .comparison, detail: $0.1) }

    private static let connectives: [Item] = [("AND", "both"), ("OR", "one of both")].map {
        Item(text: $0.0, kind: .keyword, detail: $0.1)
    }

    private static func operators(after reading: PredicateBeginning) -> [Item] {
        reading.endsComparison ? connectives : comparisons + connectives
    }

    // MARK: Mistakes

    private static func mistake(
        in text: String, of entity: CompiledEntity, in model: StoreModel
    ) -> Mistake? {
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        let predicate: PredicateNode
        do {
            predicate = try FormatParser.predicate(text)
        } catch {
            let count = text.unicodeScalars.count
            return Mistake(
                position: min(error.position, count),
                length: max(1, min(error.found.unicodeScalars.count, count)),
                message: "expected \(error.expected), found \(error.found)")
        }
        for keys in predicate.pathsRead ?? [] {
            let path = keys.joined(separator: ".")
            do {
                _ = try PropertyPath(path, of: entity, in: model)
            } catch {
                return Mistake(
                    position: position(of: path, in: text), length: path.unicodeScalars.count,
                    message: error.description)
            }
        }
        return nil
    }

    /// Returns where a key path stands in the text as a whole word; 0 if it is written in another way.
    private static func position(of path: String, in text: String) -> Int {
        let (text, path) = (Array(text.unicodeScalars), Array(path.unicodeScalars))
        guard text.count >= path.count else { return 0 }
        return (0...text.count - path.count).first { start in
            let end = start + path.count
            return text[start..<end].elementsEqual(path)
                && (start == 0 || !PredicateBeginning.isOfWord(text[start - 1]))
                && (end == text.count || !PredicateBeginning.isOfWord(text[end]))
        } ?? 0
    }
}
