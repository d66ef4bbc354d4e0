import SwiftSyntax

/// A member that overrides in an extension, and its place in the class, where every compiler allows it.
package struct MovedOverride: Sendable {
    /// The member with its comments.
    let range: Range<Int>
    /// The closing brace of the class.
    let destination: Int
    /// Where the access level goes that the extension gave, if it gave one.
    let access: (offset: Int, level: String)?

    init(_ node: DeclSyntax, from extended: ExtensionDeclSyntax, into body: MemberBlockSyntax) {
        range = node.position.utf8Offset..<node.endPosition.utf8Offset
        destination = body.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
        let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
        access =
            if let modifiers, modifiers.accessLevel == nil, let first = modifiers.first,
                let level = extended.modifiers.first(where: { $0.accessLevel != nil })
            {
                (first.positionAfterSkippingLeadingTrivia.utf8Offset, level.trimmedDescription)
            } else {
                nil
            }
    }
}
