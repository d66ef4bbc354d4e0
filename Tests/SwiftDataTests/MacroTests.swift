#if SwiftData
import Testing

@Suite("What @Model makes of sources")
struct MacroTests {
    /// One declaration in a line, and what the macro says of it.
    private static let mistakes = [
        ("@Model struct AStruct {}", "error: '@Model' can only be applied to a class"),
        ("@Model enum AnEnum {}", "error: '@Model' can only be applied to a class"),
        ("@Model actor AnActor {}", "error: '@Model' can only be applied to a class"),
        (
            "@Model final class Generic<Value> { var a = 1; init() {} }",
            "error: a generic class cannot be a model: its objects would be rows of many entities"
        ),
        (
            "@Model final class Observed { var a = 1 { didSet {} }; init() {} }",
            "warning: the observers of 'a' are never called: it is stored by '@Model'"
        ),
        (
            "@Model final class Unstored { @Transient var a: Int; init() { a = 1 } }",
            "error: 'a' is @Transient, so that it needs a default value, which fetched objects begin with"
        ),
        (
            "@Model final class Described { var description = \"\"; init() {} }",
            "error: a stored property of a model cannot have the name 'description'"
        ),
        (
            "@Model final class Hashed { var hashValue = 1; init() {} }",
            "error: a stored property of a model cannot have the name 'hashValue'"
        ),
        (
            "@Model final class Pair { var a = 1, b = 2; init() {} }",
            "error: declare each stored property of a model by itself"
        ),
        (
            "@Model final class Tuple { var (a, b) = (1, 2); init() {} }",
            "error: declare each stored property of a model by itself"
        ),
    ]

    private static let compiled = Result {
        try CompiledSource((["import SwiftData"] + mistakes.map(\.0)).joined(separator: "\n"))
    }

    @Test("A mistake is told at its declaration", arguments: mistakes.indices)
    func diagnostics(_ index: Int) throws {
        let messages = try Self.compiled.get().messages(ofLine: index + 2)
        #expect(messages.contains(Self.mistakes[index].1), "\(messages)")
    }

    @Test("Messages offer the change that mends the mistake, where there is one")
    func remedies() throws {
        let remedies = try Self.compiled.get().remedies
        for remedy in [
            "make it a final class: final class", "remove the observers: a = 1",
            "add a default value: a: Int = <#value#>", "rename it to 'details': details",
            "rename it to 'hash': hash",
        ] { #expect(remedies.contains(remedy), "\(remedies)") }
    }

    @Test("A type that stores have no form for is an error of its property")
    func types() throws {
        let source = """
            import SwiftData
            struct Town {}
            @Model final class Trip { var towns: [Town] = []; init() {} }
            """
        let messages = try CompiledSource(source).messages
        let text = "unavailable: let the type conform to Codable, or declare the property @Transient"
        #expect(messages.allSatisfy { $0.contains(text) && $0.contains("5towns") }, "\(messages)")
        #expect(!messages.isEmpty)
    }

    @Test("Computed, lazy, static and transient properties stay as they are")
    func untouched() throws {
        let source = """
            import SwiftData
            @Model final class Trip {
                var code: String { "A" }
                lazy var letters = code.count
                static let all = 1, some = 2
                @Transient var opened = 0
                init() {}
            }
            """
        let compiled = try CompiledSource(source)
        #expect(compiled.messages == [])
        #expect(!compiled.expansions.contains("@SwiftData._PersistedProperty"))
        #expect(compiled.expansions.contains("{\n[]\n}"))
    }

    @Test("A stored property becomes accessors of the object that has the values")
    func expansion() throws {
        let source = """
            public import SwiftData
            @Model public final class Trip {
                #Unique<Trip>([\\.code])
                @Attribute(originalName: "seats") var `default`: Int = 4
                var code: String
                init() { code = "A" }
            }
            """
        let compiled = try CompiledSource(source)
        #expect(compiled.messages == [])
        for part in [
            "extension Trip: nonisolated PersistentModel, nonisolated ExpandedModel, nonisolated Observable {\n}",
            "private var _$row: SwiftData.ModelObject? = "
                + "SwiftData.ModelAccess.takeObject(for: Trip.self)",
            "public var _$backing: SwiftData.ModelObject? {\nget {\n_$row\n}\nset {\n_$row = newValue\n}\n}",
            "public static var _$template: SwiftData.ModelTemplate {\n_$own\n}",
            """
            public static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            [SwiftData.Schema.PropertyMetadata(name: "default", keypath: \\Trip.`default`, \
            defaultValue: SwiftData.ModelAccess.defaultValue(of: \\Trip.`default`, 4), \
            metadata: SwiftData.Schema.Attribute(originalName: "seats")),
            SwiftData.Schema.PropertyMetadata(name: "code", keypath: \\Trip.code)]
            }
            """,
            "[[\\.code]] as [[PartialKeyPath<Trip>]]",
            """
            public required init(_$backing object: SwiftData.ModelObject) {
            _$s_default = SwiftData.ModelAccess.Placeholder()
            _$s_code = SwiftData.ModelAccess.Placeholder()
            _$row = object
            }
            """,
            """
            @storageRestrictions(accesses: _$row, initializes: _$s_default)
            init(initialValue) {
            SwiftData.ModelAccess.start(&_$row, Self._$own, Self._$p_default, initialValue)
            _$s_default = SwiftData.ModelAccess.Placeholder()
            }
            """,
            "get {\nSwiftData.ModelAccess.read(_$object, Self._$p_default)\n}",
            "set {\nSwiftData.ModelAccess.write(_$object, Self._$p_default, newValue)\n}",
        ] { #expect(compiled.expansions.contains(part), "\(part)\nis not in\n\(compiled.expansions)") }
    }

    @Test("A subclass of a model has its own row before insertion, and hands every row on to its superclass")
    func subclass() throws {
        let source = """
            public import SwiftData
            @Model open class Base { public var a = 1; public init() {} }
            @Model open class Derived: Base { public var b: String; public init(b: String) { self.b = b; super.init() } }
            @Model public final class Last: Derived { public init() { super.init(b: "") } }
            """
        let compiled = try CompiledSource(source)
        #expect(compiled.messages == [])
        for part in [
            "open var _$backing: SwiftData.ModelObject? {\nget {\n_$row\n}",
            "set {\nsuper._$backing = newValue\n_$row = newValue\n}",
            "open override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {",
            "public override static var _$template: SwiftData.ModelTemplate {\n_$whole\n}",
            "_$row = object\nSwiftData.ModelAccess.give(object, to: Base.self)\n"
                + "super.init(_$backing: object)",
        ] { #expect(compiled.expansions.contains(part), "\(part)\nis not in\n\(compiled.expansions)") }
    }
}
#endif
