import CoreData
import Foundation

/// A model in a few words, one entity or property a line:
///
///     Animal abstract
///       name string! = "none"
///       age int16 was years
///       home -> House.animals
///       friends ->> Animal.friends
///     Dog: Animal
///       tricks ->>> Trick
///
/// `!` stands for mandatory, `= value` for a default, `was name` for a renaming identifier; `->` is to-one,
/// `->>` to-many, `->>>` ordered. Further words and lines are:
///
///     Shop
///       items ->> Item.shop cascade (or deny, noAction)
///       notes string transient preserved full-text
///       place composite
///       place.latitude double
///       total double derived sum:(items.price)
///       unique name, number
///       index byName name, -number where number > 3
///       index near ^latitude, ^longitude
///     configuration Trade: Shop, Item
struct ModelSketch {
    enum Trait: String, CaseIterable {
        case cascade, deny, noAction
        case transient
        /// Kept in the history when the object is deleted.
        case preserved
        case fullText = "full-text"
    }

    struct Property {
        var name: String
        var type = ""
        var isOptional = true
        var value: String?
        var formerName: String?
        var arrow: String?
        var destination = ""
        var inverse: String?
        var derivation: String?
        /// Words that may follow in any order.
        var traits: Set<Trait> = []
        /// The elements of a composite attribute.
        var elements: [Property] = []
    }

    struct Index {
        struct Element {
            var name: String
            var isAscending = true
            var isSpatial = false
        }

        var name: String
        var elements: [Element]
        var condition: String?
    }

    struct Entity {
        var name: String
        var parent: String?
        var isAbstract = false
        var formerName: String?
        var properties: [Property] = []
        var constraints: [[String]] = []
        var indexes: [Index] = []
    }

    var entities: [Entity] = []
    /// The names of entities by configuration.
    var configurations: [String: [String]] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                add(words)
            } else if words[0] == "configuration" {
                configurations[Self.plain(words[1])] = words.dropFirst(2).map(Self.plain)
            } else {
                var entity = Entity(name: words[0].replacingOccurrences(of: ":", with: ""))
                if words[0].hasSuffix(":") { entity.parent = words[1] }
                entity.isAbstract = words.contains("abstract")
                entity.formerName = words.firstIndex(of: "was").map { words[$0 + 1] }
                entities.append(entity)
            }
        }
    }

    /// A word of a list.
    private static func plain(_ word: String) -> String {
        word.replacingOccurrences(of: ",", with: "").replacingOccurrences(of: ":", with: "")
    }

    private mutating func add(_ words: [String]) {
        let last = entities.count - 1
        switch words[0] {
        case "unique": entities[last].constraints.append(words.dropFirst().map(Self.plain))
        case "index": entities[last].indexes.append(Self.index(words))
        default:
            let property = Self.property(words)
            Self.add(property, at: property.name.split(separator: ".")[...], to: &entities[last].properties)
        }
    }

    /// Adds a property, or an element to one.
    private static func add(_ property: Property, at path: ArraySlice<Substring>, to list: inout [Property]) {
        if path.count == 1 {
            list.append(property)
            list[list.count - 1].name = String(path.last!)
        } else {
            let owner = list.firstIndex { $0.name == path.first! }!
            add(property, at: path.dropFirst(), to: &list[owner].elements)
        }
    }

    private static func index(_ words: [String]) -> Index {
        let parts = words.dropFirst(2).split(separator: "where", maxSplits: 1)
        let elements = parts[0].map { word in
            Index.Element(
                name: plain(word).trimmingCharacters(in: ["-", "^"]), isAscending: !word.hasPrefix("-"),
                isSpatial: word.hasPrefix("^"))
        }
        let condition = parts.count > 1 ? parts[1].joined(separator: " ") : nil
        return Index(name: words[1], elements: elements, condition: condition)
    }

    private static func property(_ words: [String]) -> Property {
        var property = Property(name: words[0])
        var rest = words.dropFirst()
        if words[1].hasPrefix("->") {
            let target = words[2].split(separator: ".").map(String.init)
            (property.arrow, property.destination) = (words[1], target[0])
            property.inverse = target.count > 1 ? target[1] : nil
            if let inverse = property.inverse, inverse.hasSuffix("!") {
                (property.inverse, property.isOptional) = (String(inverse.dropLast()), false)
            }
            rest = rest.dropFirst(2)
        } else {
            property.isOptional = !words[1].hasSuffix("!")
            property.type = words[1].replacingOccurrences(of: "!", with: "")
            rest = rest.dropFirst()
        }
        while let word = rest.popFirst() {
            switch word {
            case "=": property.value = rest.popFirst()
            case "was": property.formerName = rest.popFirst()
            case "derived": property.derivation = rest.popFirst()
            default: property.traits.insert(Trait(rawValue: word)!)
            }
        }
        return property
    }
}
