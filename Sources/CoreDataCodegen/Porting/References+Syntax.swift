import SwiftSyntax

extension ExprSyntax {
    /// The names of `A.b.c`, or nil for anything else.
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

extension SyntaxProtocol {
    /// Its own bytes, without what surrounds it.
    var ownBytes: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// Whether nothing but a comment follows on its line.
    var endsLine: Bool {
        guard let next = lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate) else {
            return true
        }
        return next.tokenKind == .endOfFile || next.leadingTrivia.contains(where: \.isNewline)
    }
}
