#if Overlay
import SwiftSyntax

extension ExprSyntax {
    /// The names of `A.b.c`, or nil for any other expression.
    var dottedNames: [String]? {
        if let reference = self.as(DeclReferenceExprSyntax.self) {
            return [reference.baseName.plainText]
        }
        guard let access = self.as(MemberAccessExprSyntax.self), let base = access.base?.dottedNames else {
            return nil
        }
        return base + [access.declName.baseName.plainText]
    }
}

extension SourceFileSyntax {
    /// The offset of the line at which an import can be added: before the first import, or after the comment
    /// at the top of the file.
    var importOffset: Int {
        if let first = statements.first(where: { $0.item.is(ImportDeclSyntax.self) }) {
            return first.positionAfterSkippingLeadingTrivia.utf8Offset
        }
        var offset = 0
        var start = 0
        for piece in firstToken(viewMode: .sourceAccurate)?.leadingTrivia.pieces ?? [] {
            offset += piece.sourceLength.utf8Length
            switch piece {
            case .newlines(let count) where count > 1, .carriageReturnLineFeeds(let count) where count > 1:
                start = offset
            default: break
            }
        }
        return start
    }
}

extension TypeSyntax {
    /// The result type `P` of `NSFetchRequest<P>`.
    var fetchRequestResult: TypeSyntax? {
        let name: TokenSyntax
        let arguments: GenericArgumentClauseSyntax?
        if let type = self.as(IdentifierTypeSyntax.self) {
            (name, arguments) = (type.name, type.genericArgumentClause)
        } else if let type = self.as(MemberTypeSyntax.self), type.baseType.trimmedDescription == "CoreData" {
            (name, arguments) = (type.name, type.genericArgumentClause)
        } else {
            return nil
        }
        guard name.text == "NSFetchRequest", case .type(let result) = arguments?.arguments.first?.argument
        else {
            return nil
        }
        return result
    }
}

extension SyntaxProtocol {
    /// The bytes of the node itself, without the trivia around it.
    var ownBytes: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// Whether the node is the last one on its line, apart from comments.
    var endsLine: Bool {
        guard let next = lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate) else {
            return true
        }
        return next.tokenKind == .endOfFile || next.leadingTrivia.contains(where: \.isNewline)
    }
}
#endif
