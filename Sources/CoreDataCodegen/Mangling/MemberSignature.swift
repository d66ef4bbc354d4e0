/// A managed property as the mangler sees it.
package struct PropertySignature: Sendable, Hashable {
    package var owner: NominalType
    /// The module of the extension that declares the property, when it is not the owner's.
    package var extendingModule: String?
    package var name: String
    package var discriminator: String?
    package var type: SwiftType
}

/// A managed method as the mangler sees it.
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
    /// Nil for a method that returns nothing.
    package var result: SwiftType?
}
