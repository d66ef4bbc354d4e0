import CoreDataValues
package import Foundation

/// A keyed archive (mom §2): a table of objects that refer to each other, also in cycles.
///
/// Values are resolved on access, so unknown classes and keys cost nothing and do no harm.
package struct KeyedArchive {
    fileprivate let objects: [PropertyList]
    private let rootIndex: Int
    fileprivate let budget: ReadingBudget
    /// The greatest number of references that are followed from the root to an object.
    ///
    /// An intact archive has cycles only where relationships lead from an entity back to itself. In a damaged
    /// archive any object may contain itself, so the number must be limited.
    fileprivate let longestPath: Int

    package init(_ data: Data, longestPath: Int = 256) throws {
        let plist = try BinaryPropertyListReader.read(data)
        guard plist["$archiver"]?.string == "NSKeyedArchiver", let objects = plist["$objects"]?.array,
            let root = plist["$top"]?["root"]?.uid
        else {
            throw ModelFileError("", .malformedArchive("it has no $archiver, $objects or root"))
        }
        self.objects = objects
        rootIndex = root
        self.longestPath = longestPath
        budget = ReadingBudget(objects: objects.count)
    }

    /// The root itself if it is a plain value; a reference to it if it is an object.
    var rootValue: PropertyList? {
        guard objects.indices.contains(rootIndex) else { return nil }
        if case .dictionary = objects[rootIndex] { return .uid(rootIndex) }
        return objects[rootIndex]
    }

    package func root() throws -> ArchivedObject {
        guard let object = ArchivedObject(self, at: rootIndex, via: nil) else {
            throw ModelFileError("", .malformedArchive("its root is no object"))
        }
        return object
    }

    /// Throws a `ModelFileError` if an object was left out because reading all objects would have taken too
    /// long.
    func requireWhole() throws {
        if budget.isSpent { throw ModelFileError("", .malformedArchive("it has too many parts")) }
    }
}

/// The number of visits to objects that reading an archive may still make.
///
/// Objects may share parts. If each object of a damaged archive contains the next one twice, the number of
/// visits grows exponentially.
private final class ReadingBudget {
    private var visits: Int
    /// The largest number for any archive. The largest models need far fewer: some dozens for each object.
    private static let most = 10_000_000

    init(objects: Int) {
        visits = min(256 * (objects + 16), Self.most)
    }

    var isSpent: Bool { visits < 0 }

    func spend() -> Bool {
        visits -= 1
        return visits >= 0
    }
}

/// The chain of objects whose references led from the root to an object, including that object.
private final class ReferencePath {
    let index: Int
    let length: Int
    private let rest: ReferencePath?

    init(_ index: Int, after rest: ReferencePath?) {
        self.index = index
        self.rest = rest
        length = (rest?.length ?? 0) + 1
    }

    func count(of index: Int) -> Int {
        var count = 0
        var step: ReferencePath? = self
        while let current = step {
            if current.index == index { count += 1 }
            step = current.rest
        }
        return count
    }
}

/// An object of a keyed archive.
package struct ArchivedObject {
    private let archive: KeyedArchive
    /// The position of the object in the archive, which identifies it.
    let index: Int
    /// The name of Apple's class. An archive made on Linux names a Swift class, and Apple's class as a hint.
    let className: String
    private let fields: [String: PropertyList]
    private let path: ReferencePath

    fileprivate init?(_ archive: KeyedArchive, at index: Int, via path: ReferencePath?) {
        guard path?.length ?? 0 < archive.longestPath, path?.count(of: index) ?? 0 < 2,
            archive.objects.indices.contains(index), case .dictionary(let fields) = archive.objects[index],
            let type = fields["$class"]?.uid, archive.objects.indices.contains(type),
            let name = archive.objects[type]["$classname"]?.string, archive.budget.spend()
        else { return nil }
        self.archive = archive
        self.index = index
        let fallback = name.contains(".") ? archive.objects[type]["$classhints"]?.array?.first?.string : nil
        className = fallback ?? name
        self.fields = fields
        self.path = ReferencePath(index, after: path)
    }

    // MARK: Fields

    func object(_ key: String) -> ArchivedObject? { fields[key].flatMap(object) }

    func integer(_ key: String) -> Int? {
        switch value(key) {
        case .integer(let value): Int(value)
        case .real(let value): Int(exactly: value.rounded())
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    func flag(_ key: String) -> Bool { (integer(key) ?? 0) != 0 }

    func string(_ key: String) -> String? { fields[key].flatMap(string) }

    /// Returns the field. A reference to a plain value is replaced by the value, a reference to an object
    /// stays. Nil if the field is nil.
    func value(_ key: String) -> PropertyList? { fields[key].flatMap(plain) }

    func strings(_ key: String) -> [String] {
        elements(key).compactMap(string)
    }

    func objects(_ key: String) -> [ArchivedObject] {
        elements(key).compactMap(object)
    }

    /// Returns the objects of an array: an empty list if there is no array, nil if an element cannot be read.
    func allObjects(_ key: String) -> [ArchivedObject]? {
        guard has(key) else { return [] }
        guard let elements = fields[key]?.array ?? object(key)?.fields["NS.objects"]?.array else {
            return nil
        }
        let objects = elements.compactMap(object)
        return objects.count == elements.count ? objects : nil
    }

    /// Returns a field that is itself an array, without resolving its references.
    func array(_ key: String) -> [PropertyList]? { fields[key]?.array }

    /// Returns the elements of an array or set, with references to plain values resolved.
    func values(_ key: String) -> [PropertyList] {
        elements(key).compactMap(plain)
    }

    /// Returns the entries of a dictionary whose keys are strings.
    func entries(_ key: String) -> [(key: String, value: PropertyList)] { object(key)?.ownEntries ?? [] }

    /// The entries of this object, which must be a dictionary.
    private var ownEntries: [(key: String, value: PropertyList)] {
        let (keys, values): ([PropertyList], [PropertyList])
        if let mapping = object("searchMapping") {
            (keys, values) = (mapping.elements("keys"), elements("values"))
        } else {
            keys = fields["NS.keys"]?.array ?? []
            values = fields["NS.objects"]?.array ?? []
        }
        return zip(keys, values).compactMap { key, value in string(key).map { ($0, value) } }
    }

    /// Returns the entries of a dictionary whose values are objects.
    func namedObjects(_ key: String) -> [(name: String, object: ArchivedObject)] {
        entries(key).compactMap { entry in object(entry.value).map { (entry.key, $0) } }
    }

    /// Returns the entries of a dictionary of whole numbers and strings, as strings; nil if there is none, or if
    /// it contains another value.
    func texts(_ key: String) -> [String: String]? {
        guard object(key) != nil else { return nil }
        var result: [String: String] = [:]
        for entry in entries(key) {
            if case .integer(let number)? = plain(entry.value) {
                result[entry.key] = String(number)
            } else if let text = string(entry.value) {
                result[entry.key] = text
            } else {
                return nil
            }
        }
        return result
    }

    /// The strings of the object's user info, by key.
    var userInfo: [UserInfoEntry] { object("NSUserInfo")?.ownTexts ?? [] }

    /// The strings of this object, which must be a dictionary, by key.
    package var ownTexts: [UserInfoEntry] {
        ownEntries.compactMap { key, value in string(value).map { UserInfoEntry(key: key, value: $0) } }
            .sorted(byCodePointsOf: \.key)
    }

    /// Returns whether the field exists and is not nil, even if it cannot be read.
    func has(_ key: String) -> Bool {
        switch fields[key] {
        case nil, .null, .uid(0): false
        default: true
        }
    }

    // MARK: References

    func object(_ reference: PropertyList) -> ArchivedObject? {
        reference.uid.flatMap { ArchivedObject(archive, at: $0, via: path) }
    }

    func string(_ reference: PropertyList) -> String? {
        switch reference {
        case .string(let text): text
        case .uid(let index) where index > 0 && archive.objects.indices.contains(index):
            archive.objects[index].string ?? object(reference)?.string("NS.string")
        default: nil
        }
    }

    private func elements(_ key: String) -> [PropertyList] {
        if let inline = fields[key]?.array { return inline }
        return object(key)?.fields["NS.objects"]?.array ?? []
    }

    func plain(_ reference: PropertyList) -> PropertyList? {
        guard case .uid(let index) = reference else { return reference }
        guard index > 0, archive.objects.indices.contains(index) else { return nil }
        if let text = string(reference) { return .string(text) }
        if case .dictionary = archive.objects[index] { return reference }
        return archive.objects[index]
    }
}
