/// The declarations in a module's ported sources that change what the generated file has to declare.
package struct PortedDeclarations: Sendable {
    /// The `@NSManaged` properties that have accessors in the ported texts, so that the generated file must
    /// not contain any.
    package var computedProperties: Set<SourcePosition>
    /// Overrides that were written in extensions and that generated classes declare instead.
    package var overrides: [GeneratedOverride]
    /// The types in the ported texts that register private members.
    package var privateTables: [String]

    package init(
        computedProperties: Set<SourcePosition>, overrides: [GeneratedOverride], privateTables: [String]
    ) {
        self.computedProperties = computedProperties
        self.overrides = overrides
        self.privateTables = privateTables
    }
}

/// A declaration in a generated class for an override that an extension writes.
package struct GeneratedOverride: Sendable, Hashable {
    package var owner: [String]
    package var declaration: String
    package var conditions: [String]
    /// The file of the extension, whose imports the types in the declaration may need.
    package var file: String

    package init(owner: [String], declaration: String, conditions: [String], file: String) {
        self.owner = owner
        self.declaration = declaration
        self.conditions = conditions
        self.file = file
    }
}
