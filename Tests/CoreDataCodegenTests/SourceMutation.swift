import CoreDataCodegen
import CoreDataModelFormat
import Foundation

/// A Swift source that is changed at random, by a seed, and then read.
struct SourceMutation {
    private var random: SeededGenerator
    private(set) var text = ""

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..<8 { _ = random.next() }
        text = random.pick(Self.sources)
        for _ in 0..<random.number(1...6) { change() }
    }

    /// Reads the source as the plugin reads those of a target. It may be refused with an error that names a
    /// position.
    func read() throws {
        let source = SourceText(path: "/src/File.swift", text: text)
        _ = source.unportedUse(besides: [])
        let target = try ModuleIndex(name: "App", sources: [source])
        let documents = Fixture.all.map(\.document)
        _ = SourceGenerator(library: ModuleLibrary(target: target), documents: documents).generate()
    }

    // MARK: Changes

    private mutating func change() {
        switch random.number(0...9) {
        case 0...2: changeBytes()
        case 3...5: changeTokens()
        case 6: insert(random.pick(Self.openings))
        case 7: insert(random.pick(Self.words) + " ")
        default: nest()
        }
    }

    private mutating func insert(_ part: String) {
        let bytes = Array(text.utf8)
        let position = random.number(0...bytes.count)
        text = String(
            decoding: bytes[..<position] + Array(part.utf8) + bytes[position...], as: UTF8.self)
    }

    /// Changes, drops or repeats a few bytes, or cuts the end off.
    private mutating func changeBytes() {
        var bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return }
        let position = random.number(0...bytes.count - 1)
        let end = min(bytes.count, position + random.number(1...40))
        switch random.number(0...4) {
        case 0: bytes[position] = UInt8(random.number(0...255))
        case 1: bytes[position] = random.pick(Array("(){}[]<>\"'#/*\\`@.,:;?!~&=-_ \n\0".utf8))
        case 2: bytes.removeSubrange(position..<end)
        case 3: bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
        default: bytes.removeLast(bytes.count - position)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Drops, repeats or moves words and signs.
    private mutating func changeTokens() {
        var parts = text.matches(of: #/\w+|\s+|./#.dotMatchesNewlines()).map { String($0.output) }
        guard !parts.isEmpty else { return }
        let position = random.number(0...parts.count - 1)
        let range = position..<min(parts.count, position + random.number(1...12))
        switch random.number(0...3) {
        case 0: parts.removeSubrange(range)
        case 1: parts.insert(contentsOf: Array(parts[range]), at: position)
        case 2: parts.swapAt(position, random.number(0...parts.count - 1))
        default:
            let part = Array(parts[range])
            parts.removeSubrange(range)
            parts.insert(contentsOf: part, at: random.number(0...parts.count))
        }
        text = parts.joined()
    }

    /// Nests a construct in itself, mostly too deep, and does not always close it.
    private mutating func nest() {
        let (open, close) = random.pick(Self.nestings)
        let levels = random.pick([1, 2, 5, 50, 255, 256, 257, 3_000, 20_000])
        let isClosed = random.chance(60)
        let content = random.pick(["", "Int", "a", "var a: Int", "// a"])
        insert(
            String(repeating: open, count: levels) + content
                + (isClosed ? String(repeating: close, count: levels) : ""))
    }

    private static let nestings = [
        ("(", ")"), ("[", "]"), ("{", "}"), ("/*", "*/"), ("\"\\(", ")\""), ("#\"\\#(", ")\"#"), ("A<", ">"),
        ("class A { ", "}"), ("extension A { ", "}"), ("#if A\n", "\n#endif\n"),
        ("#if os(Linux)\n@objc\n", "\n#endif\n"), ("#if A\n#else\n@objc\n", "\n#endif\n"), ("#if !(", ")\n"),
        ("private ", ""), ("private(set) ", ""), ("class ", ""), ("!", ""), ("~", ""), ("?", ""), (".A", ""),
        ("@A ", ""), ("@A<", ">"), ("some ", ""), ("inout ", ""), ("#", ""), ("`", ""), ("/", ""), ("\\", ""),
        ("(_ a: ", ")"), ("[Int: ", "]"), ("Int -> ", ""), ("var a: ", "\n"), ("func a() -> ", "{}"),
        ("a(", ")"), ("as? NSFetchRequest<", ">"), ("x.objects?(", ")"), ("\"", "\""),
        ("\"\"\"\n", "\n\"\"\""),
        ("A & ", ""), ("A.Type", ""), ("where A: ", ""), ("/a", ""), ("#\"\"\"", ""), ("; ", ""), ("é", ""),
    ]

    /// Tokens that open something or surprise a reader.
    private static let openings = [
        "\"", "\"\"\"", "#\"", "##\"\"\"", "/*", "`", "#/", "\"\\(", "(", "[", "{", "<", "#if", "#if (",
        "#elseif", "#else",
        "#endif", "@", "@objc(", "\\", ")", "]", "}", ">", "//", "/", "#!", "\u{FEFF}", "\0",
    ]

    private static let words = [
        "class", "extension", "struct", "protocol", "enum", "actor", "typealias", "import", "func", "var",
        "let",
        "init", "subscript", "deinit", "case", "operator", "precedencegroup", "macro", "associatedtype",
        "where", "get",
        "set", "private", "private(set)", "static", "@NSManaged", "@objc", "@MainActor",
        "@available(iOS 17, *)", "some",
        "any", "each", "repeat", "inout", "throws", "async", "->", "&", "...", "==", "#keyPath", "#selector",
        "as!",
        "NSFetchRequest", "Self", "Type", "_", "nonisolated(unsafe)",
    ]

    // MARK: Samples

    private static let sources =
        Fixture.all.flatMap { $0.sources.sorted { $0.key < $1.key }.map(\.value) } + [declarations, bodies]

    private static let declarations = #"""
        #!/usr/bin/swift
        @_exported import struct Foundation.Date
        #if canImport(UIKit) && !os(macOS)
        import UIKit
        #elseif os(Linux)
        import CoreData
        #else
        import Cocoa
        #endif
        /// Text. /* Another */
        @objc(Person) @MainActor public final class Person<Key: Hashable, each Value>: NSManagedObject, P where Key: P {
            @NSManaged public private(set) var name: String?, friends: Set<Person>!, map: [String: [Int?]]
            #if DEBUG
            @objc
            #endif
            @NSManaged func addToFriends(_ values: NSSet, at index: Int...) throws -> (Int, b: String)
            var computed: Int { get async throws { 1 } set(new) { _ = new } }
            let closure: @Sendable (inout Int, @escaping () -> Void) async -> some P & Q = { a, b in a }
            static func == (left: Person, right: Person) -> Bool { left === right }
            @objc func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext? = nil) {}
            convenience init?(a: ~Copyable) { nil }
            subscript<T>(index: Int) -> T where T == Int { get { fatalError() } }
            enum CodingKeys: String { case `default` = "x", other(Int) }
            indirect enum Tree { case leaf, node(Tree) }
        }
        extension Outer.Person: @retroactive Codable { typealias Pair<A> = (A, A); struct Inner {} }
        @available(*, deprecated, message: "a \(1 + 2) b") protocol P: AnyObject { associatedtype A: P = Int }
        infix operator <+>: Sums; precedencegroup Sums { higherThan: Other }
        """#

    private static let bodies = ##"""
        import CoreData
        class Store: NSObject {
            func f() -> [Any] {
                let raw = #"a \#(1 + "b".count) " c"#, regular = /a(b|c)\/[d]/, extended = #/x/y/#
                let long = """
                    one \(two("three \(4)")) \
                    five
                    """
                guard let a = x as? NSFetchRequest<Person>, a.b != 1 / 2 / 3 else { return [raw, long] }
                delegate?.controller?(self, didChange: a, at: nil, for: .insert, newIndexPath: nil)
                return NSPredicate(format: "%K == 1", #keyPath(Person.name)).a(#selector(f), 0x1F.p, 1e-5)
            }
            lazy var request: NSFetchRequest<Person> = {
                let request = Person.fetchRequest() as! NSFetchRequest<Person>
                return request
            }()
        }
        """##
}
