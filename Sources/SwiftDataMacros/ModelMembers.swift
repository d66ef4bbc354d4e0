#if SwiftData
import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that a model class needs besides its accessors.
///
/// Each class of a hierarchy has a variable of its own for the object that has the values, since properties
/// are initialized before the superclass is. Before a model is inserted into a context these are several
/// objects, each with the properties of one class; then they are one.
struct ModelMembers {
    private let type: String
    private let isSubclass: Bool
    /// The first inherited type, which the language wants to be the superclass if there is one.
    private let superclass: String
    private let properties: [StoredProperty]
    /// The access level with which members can be used where the class is visible.
    private let access: String
    /// What subclasses override, and what overrides it.
    private let dynamic: String
    private let shared: String

    init(_ declaration: ClassDeclSyntax, isSubclass: Bool, properties: [StoredProperty]) {
        type = declaration.name.text
        self.isSubclass = isSubclass
        superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
        self.properties = properties
        access = declaration.modifiers.accessOfMembers
        let isOpen = declaration.modifiers.contains { $0.name.text == "open" }
        let isFinal = declaration.modifiers.contains { $0.name.text == "final" }
        dynamic = (isOpen ? "open " : access) + (isSubclass ? "override " : "")
        shared = dynamic + (isFinal ? "static" : "class")
    }

    /// The object that has the values, and how it is reached.
    var row: [DeclSyntax] {
        let placeholders = properties.map { "_$s_\($0.name) = SwiftData.ModelAccess.Placeholder()" }
        let content = isSubclass ? "super._$backing" : "_$row"
        let change = isSubclass ? "super._$backing = newValue\n_$row = newValue" : "_$row = newValue"
        let rows = isSubclass ? "super._$rows + [_$object]" : "[_$object]"
        let giving = "SwiftData.ModelAccess.give(object, to: \(superclass).self)"
        let rest = isSubclass ? "\n\(giving)\nsuper.init(_$backing: object)" : ""
        return [
            """
            @exclusivity(unchecked)
            private var _$row: SwiftData.ModelObject? = SwiftData.ModelAccess.takeObject(for: \(raw: type).self)
            """,
            """
            private var _$object: SwiftData.ModelObject {
                @inline(__always) get {
                    _$row ?? SwiftData.ModelAccess.started(&_$row, \(raw: type)._$own)
                }
            }
            """,
            """
            \(raw: dynamic)var _$backing: SwiftData.ModelObject? {
                get { \(raw: content) }
                set { \(raw: change) }
            }
            """,
            "\(raw: dynamic)var _$rows: [SwiftData.ModelObject] { \(raw: rows) }",
            """
            \(raw: access)required init(_$backing object: SwiftData.ModelObject) {
                \(raw: placeholders.joined(separator: "\n"))
                _$row = object\(raw: rest)
            }
            """,
        ]
    }

    /// What the class says of itself.
    func schema(uniqueness: [String], indices: [String]) -> [DeclSyntax] {
        let declared = indices.map { index in
            // `.binary([…])` and `.rtree([…])` beside a list of key paths.
            let form =
                index.hasPrefix("[")
                ? "[PartialKeyPath<\(type)>]" : "SwiftData.Schema.Index<\(type)>.Types<\(type)>"
            return "SwiftData.Schema.DeclaredIndex(\(index) as \(form))"
        }
        let metadata = properties.map { $0.metadata(of: type) }.joined(separator: ",\n")
        let template = isSubclass ? "_$whole" : "_$own"
        let whole: DeclSyntax = "private static let _$whole = SwiftData.ModelTemplate(\(raw: type).self)"
        let members: [DeclSyntax] = [
            "private static let _$own = SwiftData.ModelTemplate(ownPropertiesOf: \(raw: type).self)",
            "\(raw: shared) var _$template: SwiftData.ModelTemplate { \(raw: template) }",
            """
            \(raw: shared) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                [\(raw: metadata)]
            }
            """,
            """
            \(raw: shared) var _$uniqueness: [[AnyKeyPath]] {
                [\(raw: uniqueness.joined(separator: ", "))] as [[PartialKeyPath<\(raw: type)>]]
            }
            """,
            """
            \(raw: shared) var _$indices: [SwiftData.Schema.DeclaredIndex] {
                [\(raw: declared.joined(separator: ", "))]
            }
            """,
        ]
        return isSubclass ? [whole] + members : members
    }
}
#endif
