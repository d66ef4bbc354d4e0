#if Studio
/// Who asks the studio has its token, which is given once for the code in a link.
///
/// The token is sent in a field, not as a cookie: cookies go to every port of a host, and are sent without
/// the page's doing.
struct TokenRule: GateRule {
    private let access: Access

    init(_ access: Access) {
        self.access = access
    }

    func check(_ head: RequestHead) throws(Refusal) {
        guard head.isForInterface, head.path != ServerRoute.session else { return }
        let fields = head.values(of: "authorization")
        guard fields.count == 1, fields[0].hasPrefix("Bearer ") else {
            throw access.refusal(of: "this page is not signed in")
        }
        guard access.admits(token: String(fields[0].dropFirst("Bearer ".count))) else {
            throw access.refusal(of: "this page was signed in to another run of the studio")
        }
    }
}
#endif
