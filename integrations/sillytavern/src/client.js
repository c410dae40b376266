/** Calls of the service's REST interface. */

/** What the service said no to, or why it could not be asked. */
export class ServiceError extends Error {
    /** @param {string} code the problem's code, or `offline` or `timeout`  @param {string} detail  @param {number} status */
    constructor(code, detail, status = 0) {
        super(detail);
        this.code = code;
        this.status = status;
    }

    /** Whether the same call may go through later. */
    get isPassing() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

export class Client {
    /** @param {{url: string, key: string, world: string}} settings  @param {typeof fetch} send */
    constructor({ url, key, world }, send = (...args) => globalThis.fetch(...args)) {
        this.base = url.replace(/\/+$/, '');
        this.key = key;
        this.world = world;
        this.send = send;
    }

    /**
     * @param {'GET'|'POST'} method
     * @param {string} path below `/api/v1/`
     * @param {{body?: object, timeout?: number, repeatKey?: string}} options `timeout` in milliseconds; `repeatKey`: a
     *     repeat of the same call gives the first answer
     * @returns {Promise<object>} the answer. Throws ServiceError.
     */
    async call(method, path, { body, timeout = 15_000, repeatKey } = {}) {
        const headers = { Authorization: `Bearer ${this.key}` };
        if (body !== undefined) headers['Content-Type'] = 'application/json';
        if (this.world) headers['X-Site-ID'] = this.world;
        if (repeatKey) headers['Idempotency-Key'] = repeatKey;
        const abort = new AbortController();
        const timer = setTimeout(() => abort.abort(), timeout);
        try {
            const response = await this.send(`${this.base}/api/v1/${path}`, {
                method,
                headers,
                body: body === undefined ? undefined : JSON.stringify(body),
                signal: abort.signal,
            });
            const answer = await response.json().catch(() => ({}));
            if (!response.ok) {
                throw new ServiceError(answer.code ?? 'unexpected_answer', answer.detail ?? `HTTP ${response.status}`, response.status);
            }
            return answer;
        } catch (error) {
            if (error instanceof ServiceError) throw error;
            if (abort.signal.aborted) throw new ServiceError('timeout', `No answer within ${timeout / 1000} s.`);
            throw new ServiceError('offline', 'Memory37 cannot be reached. Is the address right, and this page among its CORS_ALLOWED_ORIGINS?');
        } finally {
            clearTimeout(timer);
        }
    }
}
