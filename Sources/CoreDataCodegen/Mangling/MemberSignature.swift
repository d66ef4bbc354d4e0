/// The parts of a managed property from which its accessors' symbols are made.
package struct PropertySignature: Sendable, Hashable {
    package var owner: NominalType
    /// The module of the extension that declares the property, if it is not the owner's module.
    package var extendingModule: String?
    package var name: String
    package var discriminator: String?
    package var type: SwiftType
}

/// The parts of a managed method that its symbol names.
package struct MethodSignature: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package var label: String?
        package var type: SwiftType
    }

    package var owner: NominalType
    package var extendingModule: String?
    package var name: String
    package var discriminator: String?
    package var parameters: [Parameter]
    /// The result type; nil for a method that returns nothing.
    package var result: SwiftType?
}
